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
    "For good:        buddy completion bash "
    ">~/.local/share/bash-completion/completions/buddy\n"
    "                 buddy completion fish >~/.config/fish/completions/buddy.fish",
    NULL,
    NULL,
    NULL};

/* The program's own verbs are not in the module's table; their options are --json, and the shared
 * ones. */
static const struct argp_option registries_options[] = {
    {"json", 'j', NULL, 0, "Write JSON instead of a table", 0}, {0}};
static const struct argp_child registries_children[] = {{&bd_registry_argp, 0, NULL, 0}, {0}};
static const struct argp registries_argp = {registries_options,  NULL, NULL, NULL,
                                            registries_children, NULL, NULL};
static const struct argp config_argp = {.options = registries_options};
static const bd_verb program_verbs[] = {
    {"registries", "list the registries that are found, and where", &registries_argp, NULL},
    {"config", "list the settings that are in force, and what says so", &config_argp, NULL}};
enum { N_PROGRAM_VERBS = sizeof program_verbs / sizeof *program_verbs };

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
  for (const bd_verb *const *verb = bd_verbs; *verb; ++verb) printf("%s ", (*verb)->name);
  for (size_t i = 0; i < N_PROGRAM_VERBS; ++i) printf("%s ", program_verbs[i].name);
  printf(
      "--help --version'\n    COMPREPLY=($(compgen -S ' ' -W \"$words\" -- \"$cur\")); "
      "return\n  fi\n"
      "  case ${COMP_WORDS[1]} in\n");
  for (const bd_verb *const *verb = bd_verbs; *verb; ++verb) {
    printf("    %s) words='--help", (*verb)->name);
    each_option((*verb)->name, (*verb)->argp, write_word);
    printf("' ;;\n");
  }
  for (size_t i = 0; i < N_PROGRAM_VERBS; ++i) {
    printf("    %s) words='--help", program_verbs[i].name);
    each_option(program_verbs[i].name, program_verbs[i].argp, write_word);
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

static void write_fish_verb(const char *name, const char *summary, const struct argp *argp) {
  printf("complete -c buddy -n __fish_use_subcommand -f -a %s -d ", name);
  write_quoted(summary);
  printf("\n");
  each_option(name, argp, write_fish_option);
}

static void write_fish(void) {
  for (const bd_verb *const *verb = bd_verbs; *verb; ++verb)
    write_fish_verb((*verb)->name, (*verb)->summary, (*verb)->argp);
  for (size_t i = 0; i < N_PROGRAM_VERBS; ++i)
    write_fish_verb(program_verbs[i].name, program_verbs[i].summary, program_verbs[i].argp);
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
