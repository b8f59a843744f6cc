// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/completion.c: `buddy completion`: shell scripts made from the verbs' own option tables,
 * so that they cannot fall behind. */
#include <ctype.h>
#include <string.h>

#include "sdk/cli/verb.h"

static error_t parse(int key, char *arg, struct argp_state *state) {
  const char **shell = state->input;
  switch (key) {
    case ARGP_KEY_ARG:
      if (*shell) bd_usage(state, "takes one shell, but got '%s' as well", arg);
      if (strcmp(arg, "bash") != 0 && strcmp(arg, "zsh") != 0 && strcmp(arg, "fish") != 0) {
        bd_usage(state, "'%s' is none of bash, zsh and fish", arg);
      }
      *shell = arg;
      return 0;
    case ARGP_KEY_END:
      if (!*shell) bd_usage(state, "which shell? bash, zsh or fish");
      return 0;
    default:
      return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp parser = {
    NULL,
    parse,
    "SHELL",
    "Writes a completion script for bash, zsh or fish.\v"
    "For this shell:  source <(buddy completion bash)\n"
    "For good:\n"
    "  cd ~/.local/share/bash-completion/completions && buddy completion bash >buddy\n"
    "  cd ~/.config/fish/completions && buddy completion fish >buddy.fish",
    NULL,
    NULL,
    NULL};

const bd_verb *const *bd_program_verbs;

/* Those of the module, then the program's own; ended by null. */
static const bd_verb *verb_at(size_t i) {
  for (size_t k = 0; bd_verbs[k]; ++k, --i) {
    if (i == 0) return bd_verbs[k];
  }
  for (size_t k = 0; bd_program_verbs && bd_program_verbs[k]; ++k, --i) {
    if (i == 0) return bd_program_verbs[k];
  }
  return NULL;
}

typedef void (*option_fn)(const char *verb, const struct argp_option *option);

static void each_option(const char *verb, const struct argp *argp, option_fn write) {
  for (const struct argp_option *o = argp->options; o && (o->name || o->key || o->doc); ++o) {
    if (o->name) write(verb, o);
  }
  for (const struct argp_child *c = argp->children; c && c->argp; ++c)
    each_option(verb, c->argp, write);
}

static void write_word(const char *verb, const struct argp_option *option) {
  (void)verb;
  printf(" --%s%s", option->name, option->arg ? "=" : "");
}

static void write_bash(void) {
  printf(
      "_buddy() {\n  local cur=${COMP_WORDS[COMP_CWORD]} words files='!*.pt2'\n  compopt -o "
      "nospace\n"
      "  if ((COMP_CWORD == 1)); then\n    words='");
  const bd_verb *verb;
  for (size_t i = 0; (verb = verb_at(i)); ++i) printf("%s ", verb->name);
  printf(
      "--help --version'\n    COMPREPLY=($(compgen -S ' ' -W \"$words\" -- \"$cur\")); "
      "return\n  fi\n"
      "  case ${COMP_WORDS[1]} in\n");
  for (size_t i = 0; (verb = verb_at(i)); ++i) {
    printf("    %s) words='--help", verb->name);
    each_option(verb->name, verb->argp, write_word);
    printf("' ;;\n");
  }
  printf(
      "  esac\n"
      "  if [[ ${COMP_WORDS[1]} == completion ]]; then words='bash zsh fish'; files='!*'; fi\n"
      "  [[ $cur == = ]] && cur=\n"
      "  [[ ${COMP_WORDS[COMP_CWORD-1]} == = || $cur != -* ]] && { compopt -o filenames;\n"
      "    COMPREPLY=($(compgen -f -X \"$files\" -- \"$cur\") $(compgen -f -X '!*.npy' -- \"$cur\")"
      " $(compgen -d -- \"$cur\")); }\n"
      "  [[ $cur == -* || ${COMP_WORDS[1]} == completion ]] && COMPREPLY+=($(compgen -W \"$words\" "
      "-- \"$cur\"))\n"
      "}\ncomplete -F _buddy buddy\n");
}

/* zsh runs the bash script through its own bashcompinit, which every zsh carries. */
static void write_zsh(void) {
  printf("autoload -U +X bashcompinit && bashcompinit\n");
  write_bash();
}

static void write_quoted(const char *text) {
  putchar('\'');
  for (; *text; ++text) {
    if (*text == '\'' || *text == '\\') putchar('\\');
    putchar(*text);
  }
  putchar('\'');
}

static void write_fish_option(const char *verb, const struct argp_option *option) {
  printf("complete -c buddy -n '__fish_seen_subcommand_from %s' -l %s", verb, option->name);
  if (isgraph(option->key) && option->key < 128) printf(" -s %c", option->key);
  if (option->arg) printf(" -r");
  printf(" -d ");
  write_quoted(option->doc);
  printf("\n");
}

static void write_fish_verb(const bd_verb *verb) {
  printf("complete -c buddy -n __fish_use_subcommand -f -a %s -d ", verb->name);
  write_quoted(verb->summary);
  printf("\n");
  each_option(verb->name, verb->argp, write_fish_option);
}

static void write_fish(void) {
  const bd_verb *verb;
  for (size_t i = 0; (verb = verb_at(i)); ++i) write_fish_verb(verb);
  printf("complete -c buddy -n '__fish_seen_subcommand_from completion' -f -a 'bash zsh fish'\n");
}

static int run(int argc, char **argv) {
  const char *shell = NULL;
  if (argp_parse(&parser, argc, argv, 0, NULL, &shell) != 0) return BD_EXIT_USAGE;
  if (strcmp(shell, "fish") == 0) {
    write_fish();
  } else if (strcmp(shell, "zsh") == 0) {
    write_zsh();
  } else {
    write_bash();
  }
  return BD_EXIT_OK;
}

const bd_verb bd_verb_completion = {"completion", "write a completion script for bash, zsh or fish",
                                    &parser, run};
