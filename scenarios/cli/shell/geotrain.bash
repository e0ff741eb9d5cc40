# SPDX-License-Identifier: GPL-2.0-only
# Completion of geotrain for bash. The program itself says what a word may become; where it says nothing, files complete.
_geotrain()
{
    local line="${COMP_LINE:0:COMP_POINT}" words current
    read -ra words <<<"$line"
    [[ $line == *[[:space:]] ]] && words+=("")
    current="${words[-1]}"
    mapfile -t COMPREPLY < <("${words[0]}" --complete "${words[@]:1}" 2>/dev/null)
    # Readline takes only what stands behind the last colon or equals sign for the word.
    COMPREPLY=("${COMPREPLY[@]#"${current%"${current##*[:=]}"}"}")
}
complete -o default -F _geotrain geotrain
