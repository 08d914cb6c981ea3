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
 * How a command is called: reads its arguments and prints its help.
 *
 * @param name of the command
 * @param summary one sentence: what it does
 * @param words its arguments in order
 * @param options its options, which may stand anywhere
 * @param notes what else its help says, at its end; mostly nothing
 */
public record Syntax(
    String name, String summary, List<Word> words, List<Option> options, String notes) {
  /** How many options a line has room for. */
  private static final int FEW = 4;

  /** What arguments are called that set keys. */
  public static final String KEYS = "key=value";

  /** The option for where something is written to, and how compilers and linkers call it. */
  public static final String OUTPUT = "--output";

  private static final String SHORT_OUTPUT = "-o";

  /** What a value is called that may be empty. */
  private static final String TEXT = "text";

  /** A command whose help has no notes. */
  public Syntax(String name, String summary, List<Word> words, List<Option> options) {
    this(name, summary, words, options, "");
  }

  /**
   * One argument.
   *
   * @param name as usage shows it
   * @param least how often it must be given
   * @param most how often it may be given
   * @param description one phrase
   */
  public record Word(String name, int least, int most, String description) {
    /** An argument that must be there once. */
    public static Word one(String name, String description) {
      return new Word(name, 1, 1, description);
    }

    /** An argument that may be left out. */
    public static Word optional(String name, String description) {
      return new Word(name, 0, 1, description);
    }

    /** An argument that may be there any number of times. */
    public static Word any(String name, String description) {
      return new Word(name, 0, Integer.MAX_VALUE, description);
    }

    private String usage() {
      return most > 1 ? "[" + name + " …]" : least > 0 ? "<" + name + ">" : "[" + name + "]";
    }
  }

  /**
   * One option.
   *
   * @param name with its two dashes
   * @param value what its value is called, or null if it has none
   * @param defaultValue its value where it is not given; null where it has none
   * @param many whether it may be given several times
   * @param description one phrase
   */
  public record Option(
      String name,
      @Nullable String value,
      @Nullable String defaultValue,
      boolean many,
      String description) {
    /** An option that is there or not. */
    public static Option flag(String name, String description) {
      return new Option(name, null, null, false, description);
    }

    /** An option with a value. */
    public static Option one(String name, String value, String defaultValue, String description) {
      return new Option(name, value, defaultValue, false, description);
    }

    /** An option that has no value where it is not given. */
    public static Option optional(String name, String value, String description) {
      return new Option(name, value, null, false, description);
    }

    /** An option that may be left out, or given several times. */
    public static Option any(String name, String value, String description) {
      return new Option(name, value, null, true, description);
    }

    /** An option with a text, which may be empty; it has none where it is not given. */
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
   * Reads {@code given}. After {@code --} everything is an argument.
   *
   * @throws UserException if an option is unknown or given twice, has a value where it takes none
   *     or none where it needs one, or there are too few or too many arguments
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

  /** The word after {@code option}, which is its value unless it looks like an option. */
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

  /** The option {@code name}; {@code value} is what may be its value, for the complaint. */
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
                    ? "; a key is set without dashes: "
                        + name.substring(2)
                        + "="
                        + Objects.requireNonNullElse(value, "…")
                    : near));
  }

  private void checkCount(List<String> found) {
    int least = 0;
    long most = 0;
    for (Word word : words) {
      least += word.least();
      most += word.most();
      if (found.size() < least) {
        throw wrong("<" + word.name() + "> is missing");
      }
    }
    if (found.size() > most) {
      throw wrong("'" + found.get((int) most) + "' is one argument too many");
    }
  }

  /** The complaint that the command was called wrongly: what is wrong and the usage, one line. */
  public UserException wrong(String what) {
    return new UserException(name + ": " + what + "; usage: " + usage());
  }

  /** The command with its arguments and its options; many of these are one word. */
  String usage() {
    StringBuilder usage = new StringBuilder(name);
    words.forEach(word -> usage.append(' ').append(word.usage()));
    if (options.size() > FEW) {
      return usage.append(" [--option …]").toString();
    }
    options.forEach(option -> usage.append(" [").append(option.usage()).append(']'));
    return usage.toString();
  }

  /** The command's help: summary, usage, arguments and options. */
  public String help() {
    Table table = new Table();
    words.forEach(word -> table.row("  " + word.name(), word.description()));
    for (Option option : options) {
      String value =
          option.defaultValue() == null ? "" : " (default " + option.defaultValue() + ")";
      table.row("  " + option.usage(), option.description() + value);
    }
    table.row("  --help", "print this");
    return summary + "\n\nusage: " + usage() + "\n\n" + table + notes;
  }
}
