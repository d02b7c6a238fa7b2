#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# What results say of the firmware and the memory modules; the files of the system are replaced.

bats_require_minimum_version 1.5.0
# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"
# shellcheck source=tests/shims.bash
source "$BATS_TEST_DIRNAME/../shims.bash"

setup() {
	small_run
}

# says PATH TEXT: what the system is to have in a file.
says() {
	mkdir -p "$(dirname "files$1")"
	printf '%s\n' "$2" >"files$1"
}

# module CONTROLLER PLACE MIB [TYPE]
module() {
	local folder=/sys/devices/system/edac/mc/mc$1
	says "$folder/mc_name" controller
	says "$folder/dimm$2/size" "$3"
	[ -z "${4-}" ] || says "$folder/dimm$2/dimm_mem_type" "$4"
}

@test "firmware and modules are facts, modules of one kind counted; empty places are none" {
	says /sys/class/dmi/id/bios_vendor 'Some Vendor, Inc.'
	says /sys/class/dmi/id/bios_version 2.3
	says /sys/class/dmi/id/bios_date 01/15/2024
	module 0 0 32768 Registered-DDR4
	module 0 3 32768 Registered-DDR4
	module 0 4 0 Registered-DDR4
	module 2 1 512
	module 1 0 32768 Registered-DDR4
	under files "$AFFINITY" --quiet "${outputs[@]}"
	[ "$status" -eq 0 ]
	grep -qx ' - firmware: Some Vendor, Inc. 2.3 (01/15/2024)' out.txt
	grep -qx ' - memory_modules: 3 x 32 GiB Registered-DDR4, 1 x 512 MiB of an unknown type' out.txt
	jq -e '.environment.memory_modules == [{count: 3, bytes: 34359738368, type: "Registered-DDR4"},
		{count: 1, bytes: 536870912, type: "of an unknown type"}]' earlier.json
	/usr/bin/python3 -c 'import jsonschema' 2>/dev/null || skip "the system's Python has no jsonschema"
	/usr/bin/python3 -m jsonschema -i earlier.json "$root/results/schema-3.json"
}

@test "what the system does not tell is not known" {
	local name
	for name in vendor version date; do
		mkdir -p files/sys/class/dmi/id
		: >"files/sys/class/dmi/id/bios_$name"
	done
	under files "$AFFINITY" --quiet "${outputs[@]}"
	[ "$status" -eq 0 ]
	jq -e '.environment.firmware == null' earlier.json
	[ -d /sys/devices/system/edac ] || jq -e '.environment.memory_modules == null' earlier.json
}
