package roll.shell.run;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.felix.service.command.CommandSession;
import roll.api.option.UserException;
import roll.shell.syntax.UserPath;

/**
 * Translates the arguments of Hydra programs, such as ROLL and verl: {@code --config_path folder
 * --config_name name} becomes the file {@code folder/name.yaml} as first argument.
 */
final class HydraArguments {
  private static final String PATH = "--config_path";
  private static final String NAME = "--config_name";

  /** All spellings of the two options. */
  private static final Map<String, String> SPELLINGS =
      Map.of(
          "--config-path",
          PATH,
          "-cp",
          PATH,
          PATH,
          PATH,
          "--config-name",
          NAME,
          "-cn",
          NAME,
          NAME,
          NAME);

  /** Folder of ROLL's scripts; their configuration paths are relative to it. */
  private static final String EXAMPLES = "examples/";

  /** verl's files with defaults only. */
  private static final Pattern VERL =
      Pattern.compile("(?:one_step_off_|fully_async_)?ppo(?:_megatron)?_trainer");

  private static final String STRATEGY = "actor_rollout_ref.actor.strategy=";

  private HydraArguments() {}

  /**
   * Returns {@code arguments} with the file in place of folder and name.
   *
   * @throws UserException if one of the two options lacks its value or is given twice, or a folder
   *     is given without a name
   */
  static String[] read(CommandSession session, String... arguments) {
    String path = null;
    String name = null;
    List<String> others = new ArrayList<>();
    for (int i = 0; i < arguments.length; i++) {
      int equals = arguments[i].indexOf('=');
      String word = equals < 0 ? arguments[i] : arguments[i].substring(0, equals);
      String option = SPELLINGS.get(word);
      if (option == null) {
        others.add(arguments[i]);
        continue;
      }
      if (equals < 0 && ++i == arguments.length) {
        throw new UserException(word + " needs a value");
      }
      String value = equals < 0 ? arguments[i] : arguments[i].substring(equals + 1);
      if (value.isBlank() || (option.equals(PATH) ? path : name) != null) {
        throw new UserException(word + (value.isBlank() ? " needs a value" : " is given twice"));
      }
      if (option.equals(PATH)) {
        path = value;
      } else {
        name = value;
      }
    }
    if (name == null) {
      if (path != null) {
        throw new UserException(PATH + " " + path + " needs " + NAME + ", a file in that folder");
      }
      return arguments;
    }
    String file = file(session, path == null ? "." : path, name);
    String strategy = name.contains("megatron") ? "megatron" : "fsdp";
    boolean defaults = VERL.matcher(name.replaceFirst("\\.ya?ml$", "")).matches();
    if (!defaults || Files.exists(UserPath.of(session, file))) {
      others.addFirst(file);
      return others.toArray(String[]::new);
    }
    if (others.stream().noneMatch(option -> option.startsWith(STRATEGY))) {
      others.addFirst(STRATEGY + strategy);
    }
    if (name.startsWith("one_step_off")) {
      others.addFirst("rollout.nnodes=1");
    } else if (name.startsWith("fully_async")) {
      others.addFirst("async_training.require_batches=1");
    }
    return others.toArray(String[]::new);
  }

  private static String file(CommandSession session, String folder, String name) {
    String file = folder + "/" + (name.matches(".*\\.ya?ml") ? name : name + ".yaml");
    Path path = UserPath.of(session, file);
    Path example = UserPath.of(session, EXAMPLES + file);
    return !Files.exists(path) && Files.exists(example) ? EXAMPLES + file : file;
  }
}
