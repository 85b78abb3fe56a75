# shellcheck shell=bash
# bash completion of locus. Nothing is listed here that the program lists itself: options and the values in their help
# (--size=test|default|paper) come from `locus COMMAND --help`, names from `locus list`.

_locus_names() # machines, planners, blocks, studies or workloads
{
	"$program" list "$1" 2>/dev/null | awk '/^  [^ ]/ { print $1 }'
}

_locus_options() # the long options of $command
{
	"$program" "$command" --help 2>/dev/null | sed -nE 's/^ {2,6}(-., )?(--[a-z0-9-]+).*/\2/p'
}

_locus_choices() # OPTION: the words that its help gives as its values
{
	"$program" "$command" --help 2>/dev/null | sed -nE "s/^ {2,6}(-., )?$1=([a-z0-9-]+([|][a-z0-9-]+)*)( .*)?\$/\2/p" | tr '|' ' '
}

_locus_offer() # compgen's options: one more list of candidates
{
	mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen "$@" -- "$cur")
}

_locus_files() # ENDING...: folders, and files that end so; all files without an ENDING
{
	local ending

	compopt -o filenames 2>/dev/null
	if [ $# = 0 ]; then
		_locus_offer -f
		return
	fi
	_locus_offer -d
	for ending in "$@"; do
		_locus_offer -f -X "!*.$ending"
	done
}

_locus_words()
{
	_locus_offer -P "$before" -W "$*"
}

_locus_keys() # words that "=" and a value follow
{
	compopt -o nospace 2>/dev/null
	_locus_offer -P "$before" -S = -W "$*"
}

# The keys of --arg: those of the workload on the line.
_locus_args()
{
	local w names

	names=" $(_locus_names workloads | tr '\n' ' ') "
	for w in "${COMP_WORDS[@]:2}"; do
		case $names in *" $w "*)
			_locus_keys "$("$program" list "$w" 2>/dev/null | awk 'on { print $1 } /^options / { on = 1 }')" ;;
		esac
	done
}

# The values of a machine's key, if they are words.
_locus_key_values() # KEY
{
	"$program" list keys 2>/dev/null |
		awk -v key="$1" '$1 == key { while (match($0, /[a-z0-9-]+([|][a-z0-9-]+)+/)) { print substr($0, RSTART, RLENGTH); exit } }' |
		tr '|' ' '
}

_locus_value() # OPTION [KEY]: a value of the option; of KEY=, if it takes KEY=VALUE
{
	local choices

	choices=$(_locus_choices "$1")
	case $1:$2 in
	--machine:* | -m:* | --base:) _locus_words "$(_locus_names machines)"; _locus_files yaml ;;
	--plan:) _locus_words "$(_locus_names planners)" ;;
	--hw:?*) _locus_words golden rtl lockstep ;;
	--hw: | --rtl:) case $command in
		decode) _locus_words golden rtl lockstep ;;
		index) _locus_words golden rtl ;;
		cosim) _locus_keys "$(_locus_names blocks)" "$([ "$1" = --rtl ] || echo all)" ;;
		*) _locus_files v sv f ;;
		esac ;;
	--rtl:?* | --golden:) _locus_files v sv f ;;
	--block:) _locus_words "$(_locus_names blocks)" ;;
	--l[12]-index: | --index:) _locus_words linear pric ;;
	--tracker:) _locus_words hw sw-cpu sw-gpu none ;;
	--size:) _locus_words "${choices:-test default paper}" ;;
	--source:) _locus_words static trace ;;
	--unit:) _locus_words element line ;;
	--arg:) _locus_args ;;
	--set: | -s:) _locus_keys "$("$program" list keys 2>/dev/null | awk '/^  [a-z]/ { print $1 }')" ;;
	--set:?* | -s:?*) _locus_words "$(_locus_key_values "$2")" ;;
	*) if [ -n "$choices" ]; then _locus_words "$choices"; else _locus_files; fi ;;
	esac
}

_locus_operand()
{
	case $command in
	help) [ "$COMP_CWORD" -gt 2 ] || _locus_words "$("$program" --help 2>/dev/null | awk '/^  [a-z]+ / { print $1 }')" ;;
	list) _locus_words workloads machines blocks planners studies keys metrics launch-keys "$(_locus_names workloads)" ;;
	run | cosim | plan | mix | profile | why) _locus_words "$(_locus_names workloads)"; _locus_files yaml ltrace g ;;
	graph | record) _locus_words "$(_locus_names workloads)"; _locus_files yaml ltrace g ;;
	footprint) _locus_words "$(_locus_names workloads)" ;;
	signoff) _locus_files v sv f ;;
	blocks) _locus_words "$(_locus_names blocks)" ;;
	study) _locus_words "$(_locus_names studies)" ;;
	sweep) _locus_words table csv plot report; _locus_files yaml ;;
	trace) [ "$COMP_CWORD" -gt 2 ] || _locus_words info dump; _locus_files ltrace ;;
	machine) if [ "$COMP_CWORD" -le 2 ]; then
			_locus_words import show
		elif [ "${COMP_WORDS[2]}" = show ]; then
			_locus_words "$(_locus_names machines)"; _locus_files yaml
		else
			_locus_files config icnt
		fi ;;
	ptx) _locus_files ptx ;;
	diff | report) _locus_files json ;;
	*) _locus_files ;;
	esac
}

# bash cuts words at "=": "--size=te" comes as three words.
_locus()
{
	local program=${COMP_WORDS[0]} command=${COMP_WORDS[1]} cur=${COMP_WORDS[COMP_CWORD]} at=$((COMP_CWORD - 1)) key='' before=''
	local IFS=$' \t\n'

	COMPREPLY=()
	if [ "$COMP_CWORD" = 1 ]; then
		_locus_words "$("$program" --help 2>/dev/null | awk '/^  [a-z]+ / { print $1 }')" help --help --version
		return
	fi
	[ "$cur" = = ] && cur='' at=$COMP_CWORD
	if [ "${COMP_WORDS[at]}" = = ]; then
		at=$((at - 1))
		if [[ ${COMP_WORDS[at]} != -* ]]; then
			key=${COMP_WORDS[at]} at=$((at - 1))
			[ "${COMP_WORDS[at]}" = = ] && at=$((at - 1))
		fi
	fi
	if [[ $cur == *,* ]]; then
		key='' before=${cur%,*}, cur=${cur##*,}
	fi
	if [[ $cur == -* ]]; then
		_locus_words "$(_locus_options)"
	elif [[ ${COMP_WORDS[at]} == -* ]] && "$program" "$command" --help 2>/dev/null | grep -qE -- "^ {2,6}(-., )?${COMP_WORDS[at]}[,=]"; then
		_locus_value "${COMP_WORDS[at]}" "$key"
	else
		_locus_operand
	fi
}
complete -F _locus locus
