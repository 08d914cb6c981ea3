package roll.shell.completion;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jline.reader.Candidate;
import roll.runtime.plugin.PluginKinds;
import roll.shell.KeysCommand;
import roll.shell.command.Syntax.Option;
import roll.shell.command.Syntax.Word;
import roll.shell.create.NewCommand;
import roll.shell.syntax.KindNames;

/**
 * The completion candidates for the arguments and options of a command line.
 *
 * @param system names in the framework and the file system
 */
record CandidateSources(CompletionNames system) {
  private static final List<String> FOLDERS = List.of("pretrain", "reward_pretrain", "output_dir");

  /** The sub-command of {@code sweep} that takes a folder. */
  private static final String SHOW = "show";

  /** Returns all candidates for the word at the cursor; JLine filters them by what is typed. */
  List<Candidate> of(TypedCommand line) {
    Option option = line.option();
    if (option != null) {
      return value(option, line.word());
    }
    Word word = line.argument();
    return word == null ? List.of() : argument(word, line);
  }

  private List<Candidate> value(Option option, String typed) {
    return switch (option.name()) {
      case "--agent" -> {
        List<Candidate> agents = words(system.ids("roll.agent"));
        agents.add(new Candidate("policy"));
        yield agents;
      }
      case "--run" -> words(system.runs());
      case "--strategy" -> words(system.ids("roll.strategy"));
      default -> {
        String value = Objects.requireNonNull(option.value());
        yield switch (value) {
          case "dir", "folder" -> system.files(typed, name -> false);
          case "file" -> system.files(typed, name -> true);
          default -> value.contains("|") ? words(List.of(value.split("\\|"))) : List.of();
        };
      }
    };
  }

  private List<Candidate> argument(Word word, TypedCommand line) {
    String command = line.syntax().name();
    String name = word.name();
    String typed = line.word();
    if (name.contains("|")) {
      return words(List.of(name.split("\\|")));
    }
    return switch (name) {
      case "command" -> words(system.commands());
      case "config.yaml" -> {
        List<Candidate> files = ending(typed, ".yaml", ".yml");
        files.addAll(keys(typed));
        if (command.equals("sweep")) {
          files.add(new Candidate(SHOW));
        }
        yield files;
      }
      case "key=value" -> settings(command, line);
      case "id" -> command.equals("new") ? List.of() : words(system.ids("roll." + command));
      case "kind" -> words(kinds(command));
      case "from", "to" -> words(system.ids(swapped().getOrDefault(line.before().getFirst(), "")));
      case "run" -> words(system.runs());
      case KeysCommand.KEY ->
          line.before().size() == 1 ? words(system.keys(line.before().getFirst())) : List.of();
      case "name" -> words(system.deployed());
      case "reward or grader" -> {
        List<Candidate> both = words(system.ids("roll.reward"));
        both.addAll(words(system.ids("roll.grader")));
        yield both;
      }
      case "jar" -> ending(typed, ".jar");
      case "rows.jsonl" -> ending(typed, ".jsonl", ".json", ".ndjson", ".parquet");
      case "file" -> ending(typed, ".jsonl");
      case "batch.json", "context" -> ending(typed, ".json");
      case "template" -> ending(typed, ".jinja");
      case "picture" -> ending(typed, ".png", ".jpg", ".jpeg", ".gif", ".webp");
      case "folder", "target" -> system.files(typed, file -> false);
      default -> List.of();
    };
  }

  private List<String> kinds(String command) {
    return switch (command) {
      case "new" -> List.copyOf(NewCommand.KINDS.keySet());
      case "swap" -> List.copyOf(swapped().keySet());
      default -> PluginKinds.namespaces(system.ids(PluginKinds.NAMESPACE));
    };
  }

  private Map<String, String> swapped() {
    return KindNames.swapped(system.ids(PluginKinds.NAMESPACE));
  }

  private List<Candidate> settings(String command, TypedCommand line) {
    return switch (command) {
      case "env" -> options(line);
      case "sweep" ->
          line.before().equals(List.of(SHOW))
              ? system.files(line.word(), file -> false)
              : keys(line.word());
      default -> keys(line.word());
    };
  }

  private List<Candidate> options(TypedCommand line) {
    return line.before().size() < 2
        ? List.of()
        : open(Stream.concat(system.options(line.before().get(1)), Stream.of("seed=")));
  }

  /** Returns the keys of a configuration, part by part, and behind the equals sign the values. */
  private List<Candidate> keys(String typed) {
    int equals = typed.indexOf('=');
    if (equals > 0) {
      String key = typed.substring(0, equals);
      String last = key.substring(key.lastIndexOf('.') + 1);
      String kind = KindNames.namespaceOf(last);
      if (!kind.isEmpty()) {
        return words(system.ids(kind).stream().map(id -> key + "=" + id).toList());
      }
      return FOLDERS.contains(last)
          ? system.files(typed.substring(equals + 1), name -> false).stream()
              .map(
                  found ->
                      new Candidate(
                          key + "=" + found.value(), found.displ(), null, null, null, null, false))
              .toList()
          : List.of();
    }
    TreeSet<String> parts = new TreeSet<>();
    for (String path : system.keys()) {
      next(path, typed).ifPresent(parts::add);
    }
    return open(parts.stream());
  }

  /** Returns {@code path} up to the part that is being typed; a star matches any name. */
  private static Optional<String> next(String path, String typed) {
    String[] parts = path.split("\\.", -1);
    String[] given = typed.split("\\.", -1);
    if (given.length > parts.length) {
      return Optional.empty();
    }
    for (int i = 0; i < given.length - 1; i++) {
      if (!parts[i].equals("*") && !parts[i].equals(given[i])) {
        return Optional.empty();
      }
    }
    String last = parts[given.length - 1];
    String before = typed.substring(0, typed.lastIndexOf('.') + 1);
    return last.equals("*")
        ? Optional.empty()
        : Optional.of(before + last + (given.length < parts.length ? "." : "="));
  }

  private List<Candidate> ending(String typed, String... endings) {
    Predicate<String> wanted = name -> Stream.of(endings).anyMatch(name::endsWith);
    return system.files(typed, wanted);
  }

  private static List<Candidate> words(List<String> words) {
    List<Candidate> candidates = new ArrayList<>();
    words.forEach(word -> candidates.add(new Candidate(word)));
    return candidates;
  }

  /** Returns candidates that are not followed by a space. */
  private static List<Candidate> open(Stream<String> prefixes) {
    List<Candidate> candidates = new ArrayList<>();
    prefixes.forEach(
        text -> candidates.add(new Candidate(text, text, null, null, null, null, false)));
    return candidates;
  }
}
