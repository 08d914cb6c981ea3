package roll.shell.command;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.shell.terminal.Table;
import roll.text.Suggestion;

/**
 * The arguments and options of a command: parses them and prints the help.
 *
 * @param name of the command
 * @param summary one sentence about what it does
 * @param words its arguments in order
 * @param options its options, allowed at any position
 * @param notes text at the end of its help, usually empty
 */
public record Syntax(
    String name, String summary, List<Word> words, List<Option> options, String notes) {
  /** Maximum number of options that the usage line lists. */
  private static final int LISTED_OPTIONS = 4;

  /** Name of the arguments that set keys. */
  public static final String KEYS = "key=value";

  /** The option that names the output. */
  public static final String OUTPUT = "--output";

  private static final String SHORT_OUTPUT = "-o";

  /** Name of a value that may be empty. */
  private static final String TEXT = "text";

  /** Creates a command syntax without notes. */
  public Syntax(String name, String summary, List<Word> words, List<Option> options) {
    this(name, summary, words, options, "");
  }

  /**
   * One argument of a command.
   *
   * @param name as shown in the usage
   * @param min minimum number of occurrences
   * @param max maximum number of occurrences
   * @param description one phrase
   */
  public record Word(String name, int min, int max, String description) {
    /** A required argument of a command. */
    public static Word one(String name, String description) {
      return new Word(name, 1, 1, description);
    }

    /** An optional argument of a command. */
    public static Word optional(String name, String description) {
      return new Word(name, 0, 1, description);
    }

    /** An argument that may be given any number of times. */
    public static Word any(String name, String description) {
      return new Word(name, 0, Integer.MAX_VALUE, description);
    }

    private String usage() {
      return max > 1 ? "[" + name + " …]" : min > 0 ? "<" + name + ">" : "[" + name + "]";
    }
  }

  /**
   * One option of a command.
   *
   * @param name with its two dashes
   * @param value name of its value, or null for a flag
   * @param defaultValue value if the option is not given, or null
   * @param many whether it may be repeated
   * @param description one phrase
   */
  public record Option(
      String name,
      @Nullable String value,
      @Nullable String defaultValue,
      boolean many,
      String description) {
    /** An option without a value. */
    public static Option flag(String name, String description) {
      return new Option(name, null, null, false, description);
    }

    /** An option with a default value. */
    public static Option one(String name, String value, String defaultValue, String description) {
      return new Option(name, value, defaultValue, false, description);
    }

    /** An option without a default value. */
    public static Option optional(String name, String value, String description) {
      return new Option(name, value, null, false, description);
    }

    /** A repeatable option of a command. */
    public static Option any(String name, String value, String description) {
      return new Option(name, value, null, true, description);
    }

    /** An option of a command whose value may be the empty text; without a default value. */
    public static Option text(String name, String description) {
      return new Option(name, TEXT, null, false, description);
    }

    private boolean mayBeEmpty() {
      return TEXT.equals(value) && !many;
    }

    private String usage() {
      return value == null ? name : name + " <" + value + ">" + (many ? " …" : "");
    }
  }

  /**
   * Parses {@code given} as the arguments of a command. Everything after {@code --} is an argument.
   *
   * @throws UserException if an option is unknown or given twice, has a value that it does not take
   *     or lacks one that it needs, or if there are too few or too many arguments
   */
  public Arguments read(String... given) {
    List<String> found = new ArrayList<>();
    Map<String, List<String>> values = new LinkedHashMap<>();
    for (int i = 0; i < given.length; i++) {
      String text = given[i].equals(SHORT_OUTPUT) && writes() ? OUTPUT : given[i];
      if (text.equals("--help") || text.equals("-h")) {
        return new Arguments(this, true, List.of(), Map.of());
      } else if (text.equals("--")) {
        found.addAll(List.of(given).subList(i + 1, given.length));
        break;
      } else if (!text.startsWith("--")) {
        found.add(text);
      } else {
        int equals = text.indexOf('=');
        String own = equals < 0 ? null : text.substring(equals + 1);
        String name = equals < 0 ? text : text.substring(0, equals);
        Option option = option(name, own != null || i + 1 == given.length ? own : given[i + 1]);
        List<String> of = values.computeIfAbsent(option.name(), unseen -> new ArrayList<>());
        if (!of.isEmpty() && !option.many()) {
          throw wrong(option.name() + " is given twice");
        }
        if (option.value() != null) {
          of.add(value(option, own != null ? own : next(option, given, ++i)));
        } else if (own == null) {
          of.add("true");
        } else {
          throw wrong(option.name() + " takes no value, found '" + own + "'");
        }
      }
    }
    checkCount(found);
    return new Arguments(this, false, List.copyOf(found), Map.copyOf(values));
  }

  private boolean writes() {
    return options.stream().anyMatch(option -> option.name().equals(OUTPUT));
  }

  /** Returns the word after {@code option}, its value unless it looks like an option. */
  private String next(Option option, String[] given, int index) {
    if (index == given.length) {
      throw wrong(option.name() + " needs a value");
    }
    String next = given[index];
    if (next.startsWith("--")) {
      throw wrong(
          "%s needs a value, found '%s' (if that is the value: %1$s=%2$s)"
              .formatted(option.name(), next));
    }
    return next;
  }

  private String value(Option option, String value) {
    if (value.isEmpty() && !option.mayBeEmpty()) {
      throw wrong(option.name() + " needs a value, found ''");
    }
    return value;
  }

  /** Returns the option {@code name}; {@code value} is quoted in the error message. */
  private Option option(String name, @Nullable String value) {
    if (name.equals("--help")) {
      throw wrong(name + " takes no value");
    }
    for (Option option : options) {
      if (option.name().equals(name)) {
        return option;
      }
    }
    List<String> known = new ArrayList<>(options.stream().map(Option::name).toList());
    known.add("--help");
    String near = Suggestion.near(name, known);
    boolean keys = words.stream().anyMatch(word -> word.name().equals(KEYS));
    throw wrong(
        "unknown option %s%s"
            .formatted(
                name,
                near.isEmpty() && keys && name.length() > 2
                    ? "; keys are set without dashes: "
                        + name.substring(2)
                        + "="
                        + Objects.requireNonNullElse(value, "…")
                    : near));
  }

  private void checkCount(List<String> found) {
    int min = 0;
    long max = 0;
    for (Word word : words) {
      min += word.min();
      max += word.max();
      if (found.size() < min) {
        throw wrong("<" + word.name() + "> is missing");
      }
    }
    if (found.size() > max) {
      throw tooMany(found.get((int) max));
    }
  }

  /** Returns the error that {@code argument} is one too many. */
  UserException tooMany(String argument) {
    return wrong("'" + argument + "' is one argument too many");
  }

  /** Returns the error for a wrong call: what is wrong and the usage, in one line. */
  public UserException wrong(String what) {
    return new UserException(name + ": " + what + "; usage: " + usage());
  }

  /** Returns the usage line; more than four options are abbreviated. */
  String usage() {
    StringBuilder usage = new StringBuilder(name);
    words.forEach(word -> usage.append(' ').append(word.usage()));
    if (options.size() > LISTED_OPTIONS) {
      return usage.append(" [--option …]").toString();
    }
    options.forEach(option -> usage.append(" [").append(option.usage()).append(']'));
    return usage.toString();
  }

  /** Returns the command's help: summary, usage, arguments and options. */
  public String help() {
    Table table = new Table();
    words.forEach(word -> table.row("  " + word.name(), word.description()));
    for (Option option : options) {
      String value =
          option.defaultValue() == null ? "" : " (default " + option.defaultValue() + ")";
      table.row("  " + option.usage(), option.description() + value);
    }
    table.row("  --help", "print this help");
    return summary + "\n\nusage: " + usage() + "\n\n" + table + notes;
  }
}
