# shellcheck shell=bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Where Debian's packages have a kernel's file; testmachine and fetch, which source this, use it.

# A package such as linux-image-cloud-amd64 depends on the newest image.
image_package() { # PACKAGE...: the first that there is
	local name found
	for name; do
		found=$(apt-cache depends "$name" 2>/dev/null | sed -n 's/^ *Depends: \(linux-image-[0-9].*\)/\1/p' | head -n 1 || true)
		[[ -z $found ]] || break
	done
	printf '%s' "${found-}"
}

# Until Debian 13 the image's package has the file itself; after it, one that the image depends on.
file_package() { # IMAGE-PACKAGE
	local found
	found=$(apt-cache depends "$1" 2>/dev/null | sed -n 's/^ *Depends: \(linux-binary-[0-9].*\)/\1/p' | head -n 1 || true)
	printf '%s' "${found:-$1}"
}

# Leaves FOLDER/boot/vmlinuz-VERSION, wherever the package has it.
unpack_kernel() { # PACKAGE-FILE FOLDER
	local all=$2/package file version
	mkdir -p -- "$all" "$2/boot"
	dpkg-deb --fsys-tarfile "$1" | tar -x -C "$all" --exclude='*.ko*' || return 1
	for file in "$all"/boot/vmlinuz-* "$all"/{,usr/}lib/modules/*/vmlinuz; do
		[[ -f $file ]] || continue
		version=${file#*/boot/vmlinuz-}
		[[ $version != "$file" ]] || version=$(basename -- "${file%/vmlinuz}")
		mv -- "$file" "$2/boot/vmlinuz-$version"
	done
	rm -rf -- "$all"
	[[ -n $(compgen -G "$2/boot/vmlinuz-*") ]]
}
