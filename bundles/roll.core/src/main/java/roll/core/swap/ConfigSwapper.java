package roll.core.swap;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.api.plugin.Plugins;
import roll.core.Roles;
import roll.core.output.FolderTree;
import roll.runtime.config.ConfigLoader;
import roll.runtime.config.LoadedConfig;
import roll.runtime.config.RunConfig;
import roll.runtime.option.Secrets;

/**
 * Derives a run's configuration with one plugin replaced, and checks it like that of a new run.
 *
 * @param checks as {@link roll.runtime.pipeline.Trainer#check}
 */
public record ConfigSwapper(
    ConfigLoader loader, Plugins plugins, Function<LoadedConfig, List<String>> checks) {
  /**
   * Requests the replacement of {@code from} by {@code to}; returns notices.
   *
   * @throws UserException if it cannot
   */
  public List<String> swap(
      RunControl control, String kind, String from, String to, List<String> overrides) {
    while (true) {
      RunControl.Draft draft = control.wanted();
      LoadedConfig before = draft.config();
      SwapOverrides swap = SwapOverrides.of(before.run(), plugins, kind, from, to);
      List<String> all = new ArrayList<>(swap.overrides());
      all.addAll(overrides);
      LoadedConfig after = load(before, all);
      refuse(before.run(), after.run());
      List<String> notices = new ArrayList<>(swap.notices());
      notices.addAll(checks.apply(after));
      String line = kind + " " + from + " → " + to;
      if (control.change(draft, after, line + shown(overrides))) {
        return notices;
      }
    }
  }

  private static LoadedConfig changedBy(
      LoadedConfig before, LoadedConfig after, List<String> overrides) {
    return new LoadedConfig(
        after.file(),
        after.run(),
        after.effectiveYaml(),
        after.secrets(),
        after.notices(),
        after.unneeded(),
        changed(before.changed(), after.changed(), overrides),
        after.derived(),
        after.sft());
  }

  /**
   * Returns the keys in {@code after} that were in {@code before} or are in {@code overrides}: the
   * text of a run has all keys, written or not.
   */
  static Set<String> changed(Set<String> before, Set<String> after, List<String> overrides) {
    Set<String> written = new HashSet<>(before);
    overrides.forEach(override -> written.add(override.split("[.=]", 2)[0]));
    written.retainAll(after);
    return Set.copyOf(written);
  }

  /** Returns {@code overrides} for messages, without the values of secrets. */
  private static String shown(List<String> overrides) {
    return overrides.stream()
        .map(
            text -> {
              String key = text.substring(0, Math.max(0, text.indexOf('=')));
              return " " + (Secrets.is(key) ? key + "=…" : text);
            })
        .collect(Collectors.joining());
  }

  /** From a file of its own: the one in the output folder may be changed by its owner. */
  private LoadedConfig load(LoadedConfig before, List<String> overrides) {
    try {
      Path folder = Files.createTempDirectory("roll-swap");
      Path file = folder.resolve("config.yaml");
      try {
        Files.writeString(file, before.effectiveYaml());
        List<String> all = new ArrayList<>();
        before.secrets().forEach((path, value) -> all.add(path + "=" + SwapOverrides.json(value)));
        all.addAll(overrides);
        return changedBy(before, loader.load(file, all), overrides);
      } finally {
        FolderTree.delete(folder);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Refuses overrides of the identity of a run and its models, which cannot change. */
  private static void refuse(RunConfig before, RunConfig after) {
    Map<String, Function<RunConfig, @Nullable Object>> fixed = new LinkedHashMap<>();
    fixed.put("output_dir", RunConfig::outputDir);
    fixed.put("exp_name", RunConfig::expName);
    fixed.put("seed", RunConfig::seed);
    fixed.put("pretrain", run -> run.roles().pretrain());
    fixed.put("rollout_mock", run -> run.rollout().mock());
    fixed.put("async_generation_ratio", run -> run.schedule().asyncRatio());
    fixed.put(
        "the temperature that logits are divided by",
        run -> run.roles().actorTrain().model().temperature());
    fixed.put(
        "model_args",
        run -> Roles.of(run).values().stream().map(worker -> worker.model()).toList());
    Set<String> roles = Roles.of(before).keySet();
    if (!roles.equals(Roles.of(after).keySet())) {
      Set<String> added = new TreeSet<>(Roles.of(after).keySet());
      added.removeAll(roles);
      throw new UserException(
          added.isEmpty()
              ? "swap: the roles cannot change during a run: %s would be %s"
                  .formatted(roles, Roles.of(after).keySet())
              : "swap: this needs the role %s, and roles cannot change during a run, which has %s"
                  .formatted(String.join(", ", added), String.join(", ", roles)));
    }
    fixed.forEach(
        (key, value) -> {
          Object was = value.apply(before);
          Object is = value.apply(after);
          if (!Objects.equals(was, is)) {
            throw new UserException(
                "swap: '%s' cannot change during a run: %s would be %s".formatted(key, was, is));
          }
        });
  }
}
