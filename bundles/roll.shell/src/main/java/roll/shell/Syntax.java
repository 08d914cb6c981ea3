package roll.shell;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.option.Suggestion;
import roll.api.option.UserException;

/**
 * How a command is called: reads its arguments and prints its help.
 *
 * @param name of the command
 * @param summary one sentence: what it does
 * @param words its arguments in order
 * @param options its options, which may stand anywhere
 */
record Syntax(String name, String summary, List<Word> words, List<Option> options) {
  /** How many options a line has room for. */
  private static final int FEW = 4;

  /**
   * One argument.
   *
   * @param name as usage shows it
   * @param least how often it must be given
   * @param most how often it may be given
   * @param meaning one phrase
   */
  record Word(String name, int least, int most, String meaning) {
    /** An argument that must be there once. */
    static Word one(String name, String meaning) {
      return new Word(name, 1, 1, meaning);
    }

    /** An argument that may be left out. */
    static Word optional(String name, String meaning) {
      return new Word(name, 0, 1, meaning);
    }

    /** An argument that may be there any number of times. */
    static Word any(String name, String meaning) {
      return new Word(name, 0, Integer.MAX_VALUE, meaning);
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
   * @param standard its value where it is not given; null where it has none
   * @param many whether it may be given several times; else the last one counts
   * @param meaning one phrase
   */
  record Option(
      String name,
      @Nullable String value,
      @Nullable String standard,
      boolean many,
      String meaning) {
    /** An option that is there or not. */
    static Option flag(String name, String meaning) {
      return new Option(name, null, null, false, meaning);
    }

    /** An option with a value. */
    static Option one(String name, String value, String standard, String meaning) {
      return new Option(name, value, standard, false, meaning);
    }

    /** An option that has no value where it is not given. */
    static Option optional(String name, String value, String meaning) {
      return new Option(name, value, null, false, meaning);
    }

    /** An option that may be left out, or given several times. */
    static Option any(String name, String value, String meaning) {
      return new Option(name, value, null, true, meaning);
    }

    private String usage() {
      return value == null ? name : name + " <" + value + ">" + (many ? " …" : "");
    }
  }

  /**
   * Reads {@code given}. After {@code --} everything is an argument.
   *
   * @throws UserException if an option is unknown, or there are too few or too many arguments
   */
  Arguments read(String... given) {
    List<String> found = new ArrayList<>();
    Map<String, List<String>> values = new LinkedHashMap<>();
    for (int i = 0; i < given.length; i++) {
      String text = given[i];
      if (text.equals("--help") || text.equals("-h")) {
        return new Arguments(this, true, List.of(), Map.of());
      } else if (text.equals("--")) {
        found.addAll(List.of(given).subList(i + 1, given.length));
        break;
      } else if (!text.startsWith("--")) {
        found.add(text);
      } else {
        int equals = text.indexOf('=');
        Option option = option(equals < 0 ? text : text.substring(0, equals));
        List<String> of = values.computeIfAbsent(option.name(), name -> new ArrayList<>());
        if (option.value() == null) {
          of.add("true");
        } else if (equals >= 0) {
          of.add(text.substring(equals + 1));
        } else if (i + 1 < given.length) {
          of.add(given[++i]);
        } else {
          throw wrong(option.name() + " needs a value");
        }
      }
    }
    checkCount(found);
    return new Arguments(this, false, List.copyOf(found), Map.copyOf(values));
  }

  private Option option(String name) {
    for (Option option : options) {
      if (option.name().equals(name)) {
        return option;
      }
    }
    List<String> known = new ArrayList<>(options.stream().map(Option::name).toList());
    known.add("--help");
    throw wrong("unknown option " + name + Suggestion.near(name, known));
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
  UserException wrong(String what) {
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
  String help() {
    Table table = new Table();
    words.forEach(word -> table.row("  " + word.name(), word.meaning()));
    for (Option option : options) {
      String standard = option.standard() == null ? "" : " (default " + option.standard() + ")";
      table.row("  " + option.usage(), option.meaning() + standard);
    }
    table.row("  --help", "print this");
    return summary + "\n\nusage: " + usage() + "\n\n" + table;
  }
}
