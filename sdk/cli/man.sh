#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Manual pages of the command and of its verbs, made of what their --help says:
#   sh sdk/cli/man.sh BUDDY VERSION FOLDER
# Needs GNU help2man, which without more of Perl knows no letters beyond ASCII's.
set -eu
buddy=$1 version=$2 folder=$3
rm -rf "$folder"
mkdir -p "$folder"
page() { # NAME SUMMARY [VERB]
  printf '#!/bin/sh\n"%s" %s "$@" | sed "s/…/.../g"\n' "$buddy" "${3:-}" >"$folder/help"
  chmod +x "$folder/help"
  title=$(echo "$1" | tr '[:lower:]' '[:upper:]')
  help2man --no-info --version-string="$version" --name="$2" "$folder/help" |
    sed -e "s/^\.TH HELP \(\"1\" \"[^\"]*\"\) \"help /.TH $title \1 \"buddy /" -e "s/^help \\\\- /$1 \\\\- /" >"$folder/$1.1"
  rm "$folder/help"
}
page buddy 'bring PyTorch programs to MLIR, and run them'
"$buddy" --help | sed -n '/^Verbs:/,/^$/s/^  \([a-z-]*\) *\(.*\)/\1 \2/p' | while read -r verb summary; do
  page "buddy-$verb" "$summary" "$verb"
done
