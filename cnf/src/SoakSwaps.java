import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/**
 * The replacements of {@link SoakTest} during its run: in turn environment, estimator, loss and
 * reward get a new version of their jar, each followed by a change of the sampling strategy or the
 * estimator.
 */
final class SoakSwaps implements AutoCloseable {
  private static final List<String> KEYS =
      List.of(
          "custom_envs.FrozenLake.env_type=swapped_lake",
          "custom_envs.FrozenLake.rewards={swapped_length: {weight: 0.1, target: 1, limit: 8}}",
          "adv_estimator=swapped_grpo",
          "actor_train.pg_variant=swapped_ppo");

  private static final List<List<String>> SWAPS =
      List.of(
          List.of("swap", "strategy", "vllm", "hf_infer"),
          List.of("swap", "estimator", "swapped_grpo", "rloo"),
          List.of("swap", "strategy", "hf_infer", "vllm"),
          List.of("swap", "estimator", "rloo", "swapped_grpo"));

  private final Path folder;
  private final List<SwapTestPlugin> plugins;
  private final SwapTestShell shell;
  private int done;

  /** Starts {@code roll} with the first versions in {@code folder}/deploy. */
  SoakSwaps(Path folder, Path roll) throws IOException {
    this.folder = folder;
    RunFiles.delete(folder.resolve("deploy"));
    Path deploy = Files.createDirectories(folder.resolve("deploy"));
    Path home = Path.of("").toAbsolutePath();
    plugins =
        List.of(
            plugin(home, "swapped_lake", "envs-bundles/roll.env.frozen_lake", "", "frozen_lake"),
            plugin(home, "swapped_grpo", "estimators-bundles/roll.estimator.grpo", "", "grpo"),
            plugin(home, "swapped_ppo", "estimators-bundles/roll.loss.ppo", "", "ppo"),
            plugin(home, "swapped_length", "bundles/roll.reward.format", ".length", "length"));
    for (SwapTestPlugin plugin : plugins) {
      drop(plugin);
    }
    String options = System.getenv().getOrDefault("ROLL_JAVA_OPTS", "-Xmx600m");
    shell = new SwapTestShell(roll.toString(), home, options, deploy, folder.resolve("out.txt"));
  }

  private static SwapTestPlugin plugin(
      Path home, String id, String module, String part, String name) throws IOException {
    return SwapTestPlugin.of(id, home.resolve(module), part, name);
  }

  /** Runs {@code arguments} in the shell and returns its process. */
  Process start(List<String> arguments) throws IOException {
    List<String> all = new ArrayList<>(arguments);
    all.addAll(KEYS);
    shell.say(true, all);
    return shell.process();
  }

  /** Returns the number of replacements. */
  int done() {
    return done;
  }

  /** Replaces the next one; the run uses it from the end of a step. */
  void next() throws IOException {
    int round = done++;
    if (round % 2 == 0) {
      drop(plugins.get(round / 2 % plugins.size()));
    } else {
      shell.say(false, SWAPS.get(round / 2 % SWAPS.size()));
    }
  }

  private void drop(SwapTestPlugin plugin) throws IOException {
    plugin.next();
    Path jar = folder.resolve(plugin.id() + ".jar");
    plugin.write(jar);
    Path place = folder.resolve("deploy").resolve(plugin.bundle() + ".jar");
    Files.move(jar, place, StandardCopyOption.ATOMIC_MOVE);
  }

  @Override
  public void close() throws Exception {
    shell.close();
  }
}
