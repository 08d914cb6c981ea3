package roll.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.config.schema.Section;
import roll.config.tree.YamlTree;

/**
 * Hands ROLL's {@code system_envs} to the programs that a run starts for its user: environments and
 * rewards of other languages, and agents. As there, what a program has of its own counts first. The
 * sandbox, which runs what a model wrote, gets none.
 */
final class SystemVariables {
  private static final String KEY = "system_envs";
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  /**
   * Variables that libraries of this process, or its launcher, read before a configuration is read.
   */
  private static final Pattern READ_BEFORE =
      Pattern.compile(
          "(OMP|KMP|GOMP|MKL|OPENBLAS|DNNL|ONEDNN|NCCL|GLOO|CUDA|CUBLAS|CUDNN|NVIDIA|TORCH|PYTORCH"
              + "|LD|MALLOC|JAVA|JDK|ROLL|WANDB|MLFLOW)_.*|ATEN_CPU_CAPABILITY");

  private final Section run;
  private final Function<String, @Nullable String> environment;
  private final Map<String, String> given = new LinkedHashMap<>();
  private int programs;

  /**
   * Creates the system variables of {@code run}, which is modified.
   *
   * @param environment the variables of this process
   */
  SystemVariables(Section run, Function<String, @Nullable String> environment) {
    this.run = run;
    this.environment = environment;
  }

  /**
   * Adds them to whatever starts a program; a line for the user on each that changes less than one
   * may think is added to {@code notices}, and to {@code unneeded} if there is no program at all.
   *
   * @throws UserException if one has no name or no value
   */
  void settle(List<String> notices, Set<String> unneeded) {
    read();
    if (given.isEmpty()) {
      return;
    }
    run.settle(KEY, new LinkedHashMap<>(given));
    run.sections("custom_envs").values().forEach(this::environment);
    List<String> late =
        given.keySet().stream()
            .filter(name -> READ_BEFORE.matcher(name).matches())
            .filter(name -> !Objects.equals(given.get(name), environment.apply(name)))
            .toList();
    if (!late.isEmpty()) {
      notices.add(
          "%s: this process read %s when it was started, which cannot be changed any more: set %s in the shell that starts roll%s"
              .formatted(
                  KEY,
                  String.join(", ", late),
                  late.size() == 1 ? "it" : "them",
                  programs == 0 ? "" : "; programs that the run starts get what is written here"));
    } else if (programs == 0) {
      String idle =
          "key '%s' has no effect here: no environment, reward or agent of this run is a program"
              .formatted(KEY);
      notices.add(idle);
      unneeded.add(idle);
    }
  }

  private void read() {
    Objects.requireNonNull(YamlTree.mapping(run.value(KEY)))
        .forEach(
            (name, value) -> {
              if (!NAME.matcher(name).matches()) {
                throw new UserException(
                    run.where(KEY) + ": " + YamlTree.shown(name) + " is no name of a variable");
              }
              String wrong = wrong(value);
              if (wrong != null) {
                throw new UserException(
                    "%s.%s: expected a text, found %s".formatted(run.where(KEY), name, wrong));
              }
              given.put(name, String.valueOf(value));
            });
  }

  /**
   * A phrase for a {@code value} that is not allowed for a variable, without the value, which may
   * be a secret; null if it is allowed.
   */
  private static @Nullable String wrong(@Nullable Object value) {
    return switch (value) {
      case null -> "none";
      case Map<?, ?> _ -> "a mapping";
      case List<?> _ -> "a list";
      case String text when text.indexOf(0) >= 0 -> "a text with a zero byte";
      default -> null;
    };
  }

  private void environment(Section environment) {
    if (environment.has("agent_runner")) {
      Section runner = environment.section("agent_runner");
      Map<String, @Nullable Object> variables = new LinkedHashMap<>(given);
      variables.putAll(runner.mapping("environment"));
      runner.settle("environment", variables);
      programs++;
    }
    Map<String, @Nullable Object> options = YamlTree.mapping(environment.value("env_config"));
    if (environment.text("env_type").equals("remote")
        && options != null
        && !options.containsKey("url")) {
      environment.settle("env_config", withVariables(options));
    }
    Map<String, @Nullable Object> rewards = YamlTree.mapping(environment.value("rewards"));
    Map<String, @Nullable Object> python =
        rewards == null ? null : YamlTree.mapping(rewards.get("python"));
    if (rewards != null && python != null) {
      Map<String, @Nullable Object> all = new LinkedHashMap<>(rewards);
      all.put("python", withVariables(python));
      environment.settle("rewards", all);
    }
  }

  /**
   * Returns {@code options} with the variables added to their mapping {@code env}; an {@code env}
   * of another type stays.
   */
  private Map<String, @Nullable Object> withVariables(Map<String, @Nullable Object> options) {
    Object own = options.get("env");
    Map<String, @Nullable Object> before = YamlTree.mapping(own);
    if (own != null && before == null) {
      return options;
    }
    Map<String, @Nullable Object> variables = new LinkedHashMap<>(given);
    if (before != null) {
      variables.putAll(before);
    }
    Map<String, @Nullable Object> all = new LinkedHashMap<>(options);
    all.put("env", variables);
    programs++;
    return all;
  }
}
