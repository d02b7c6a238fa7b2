# SPDX-License-Identifier: GPL-3.0-or-later
# Completion for fish; scripts/complete knows what there is, and lies below the folder of the program.

function __affinity_complete
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    if contains -- -- $words
        if contains -- $words[-1] -- :
            __fish_complete_command
        else
            __fish_complete_path $word
        end
        return
    end
    set -l program (realpath (command -s $words[1]; or echo $words[1]))
    set -l folder (dirname $program)
    for at in $folder/complete $folder/scripts/complete $folder/../share/affinity/scripts/complete
        test -x $at; or continue
        set -l found ($at $program $words[-1] "$word" 2>/dev/null)
        switch "$found[1]"
            case :files
                __fish_complete_path $word
            case :commands
                __fish_complete_command
            case '*'
                printf '%s\n' $found
        end
        return
    end
end

for command in affinity affinity-map affinity-report affinity-frag affinity-fleet affinity-rhp affinity-ejec affinity-health affinity-mix affinity-profile affinity-npb affinity-programs affinity-compare-equals affinity-cc affinity-c++
    complete -c $command -f -a '(__affinity_complete)'
end
