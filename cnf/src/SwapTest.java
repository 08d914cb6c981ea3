import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Replaces the plugins of two running runs in a distribution: {@code java cnf/src/SwapTest.java
 * <folder> [swaps=500] [roll=./roll]}, after {@code ./roll version} has built.
 *
 * <p>One run trains on FrozenLake with a deployed environment, estimator, loss and reward, the
 * other calculates with a deployed tool. Each in turn is deployed in another version, by the
 * command, by a file moved into the folder or by five at once; some rounds are a {@code swap}, some
 * a refused jar. Fails if a version is not used, a stack trace is printed or logged, a run ends, or
 * class loaders of replaced versions stay in memory.
 */
class SwapTest {
  private static final Pattern STACK =
      Pattern.compile("^\\s+at [\\w.$/]+\\(|Exception|Error:|unexpected state|global lock");

  private static final List<String> LAKE =
      List.of(
          "train",
          "configs/frozen_lake.yaml",
          "exp_name=lake",
          "custom_envs.FrozenLake.env_type=swapped_lake",
          "custom_envs.FrozenLake.rewards={swapped_length: {weight: 0.1, target: 1, limit: 8}}",
          "adv_estimator=swapped_grpo",
          "actor_train.pg_variant=swapped_ppo",
          "max_steps=1000000",
          "save_steps=50",
          "max_ckpt_to_keep=1",
          "eval_steps=0",
          "logging_steps=0",
          "rollout_batch_size=32",
          "train_env_manager.num_env_groups=4",
          "actor_train.training_args.per_device_train_batch_size=8",
          "track_with=[jsonl]");

  private static final List<String> SUMS =
      List.of(
          "train",
          "configs/arithmetic.yaml",
          "exp_name=sums",
          "pretrain=configs/models/arithmetic-tiny",
          "custom_envs.Arithmetic.agent.tools=[swapped_calculator]",
          "max_steps=1000000",
          "save_steps=50",
          "max_ckpt_to_keep=1",
          "eval_steps=0",
          "logging_steps=0",
          "sequence_length=256",
          "rollout_batch_size=8",
          "train_env_manager.num_env_groups=2",
          "train_env_manager.group_size=4",
          "train_env_manager.generating_args.max_new_tokens=8",
          "actor_train.training_args.per_device_train_batch_size=4",
          "track_with=[jsonl]");

  private final Path folder;
  private final List<SwapTestPlugin> plugins;
  private final SwapTestShell shell;

  SwapTest(Path folder, Path home, SwapTestShell shell) throws IOException {
    this.folder = folder;
    this.shell = shell;
    Path envs = home.resolve("envs-bundles");
    Path estimators = home.resolve("estimators-bundles");
    Path bundles = home.resolve("bundles");
    this.plugins =
        List.of(
            plugin("swapped_lake", envs, "roll.env.frozen_lake", "", "frozen_lake"),
            plugin("swapped_grpo", estimators, "roll.estimator.grpo", "", "grpo"),
            plugin("swapped_ppo", estimators, "roll.loss.ppo", "", "ppo"),
            plugin("swapped_length", bundles, "roll.reward.format", ".length", "length"),
            plugin("swapped_calculator", bundles, "roll.tool.calculator", "", "calculator"));
  }

  private static SwapTestPlugin plugin(
      String id, Path area, String bundle, String part, String name) throws IOException {
    return SwapTestPlugin.of(id, area.resolve(bundle), part, name);
  }

  static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[0]).toAbsolutePath();
    Map<String, String> options = new TreeMap<>(Map.of("swaps", "500", "roll", "./roll"));
    for (int i = 1; i < arguments.length; i++) {
      options.put(arguments[i].split("=", 2)[0], arguments[i].split("=", 2)[1]);
    }
    Path home = Path.of("").toAbsolutePath();
    Path deploy = Files.createDirectories(folder.resolve("deploy"));
    Path log = folder.resolve("said.txt");
    boolean good;
    try (SwapTestShell shell =
        new SwapTestShell(options.get("roll"), home, "-Xmx2g", deploy, log)) {
      good = new SwapTest(folder, home, shell).all(Integer.parseInt(options.get("swaps")));
    }
    System.exit(good ? 0 : 1);
  }

  /** Returns whether all swaps succeeded. */
  boolean all(int swaps) throws Exception {
    for (SwapTestPlugin plugin : plugins) {
      deploy(plugin);
    }
    start(LAKE);
    shell.await("run 1 writes");
    start(SUMS);
    shell.await("run 2 writes");
    Thread.sleep(10_000);
    Map<String, Long> before = shell.holds();
    int done = 0;
    for (int round = 0; done < swaps; round++) {
      done += swapped(round);
      if (round % 25 == 24) {
        System.out.printf("%d swaps%n", done);
      }
    }
    Thread.sleep(5_000);
    Map<String, Long> after = shell.holds();
    shell.say(false, List.of("stop", "1"));
    shell.say(false, List.of("stop", "2"));
    return report(done, before, after);
  }

  private void start(List<String> train) throws IOException {
    List<String> all = new ArrayList<>(train);
    all.add("output_dir=" + folder.resolve("output"));
    shell.say(true, all);
  }

  /** Replaces one or more plugins; returns their number. */
  private int swapped(int round) throws Exception {
    SwapTestPlugin plugin = plugins.get(round % plugins.size());
    switch (round % 8) {
      case 5 -> swap(round / 8 % 2 == 0);
      case 7 -> {
        drop(plugins);
        return plugins.size();
      }
      case 2 -> refuse(plugin);
      case 0, 4 -> deploy(plugin);
      default -> drop(List.of(plugin));
    }
    return round % 8 == 2 ? 0 : 1;
  }

  /** Deploys the next version of {@code plugin} by the command. */
  private void deploy(SwapTestPlugin plugin) throws Exception {
    plugin.next();
    Path jar = folder.resolve(plugin.id() + ".jar");
    plugin.write(jar);
    shell.say(false, List.of("deploy", jar.toString()));
    shell.await("deployed " + plugin.bundle() + " " + plugin.version());
  }

  /** Moves the next versions into the folder at once. */
  private void drop(List<SwapTestPlugin> several) throws Exception {
    for (SwapTestPlugin plugin : several) {
      plugin.next();
      plugin.write(folder.resolve(plugin.id() + ".jar"));
    }
    for (SwapTestPlugin plugin : several) {
      Path place = folder.resolve("deploy").resolve(plugin.bundle() + ".jar");
      Files.move(folder.resolve(plugin.id() + ".jar"), place, StandardCopyOption.ATOMIC_MOVE);
    }
    for (SwapTestPlugin plugin : several) {
      shell.await("deployed " + plugin.bundle() + " " + plugin.version());
    }
  }

  /** Deploys a version that exports a system package, which is refused; the old one continues. */
  private void refuse(SwapTestPlugin plugin) throws Exception {
    Path jar = folder.resolve("refused.jar");
    plugin.write(jar, "Export-Package", "roll.api.env");
    shell.say(false, List.of("deploy", jar.toString()));
    shell.await("refused refused.jar: " + plugin.bundle());
  }

  /** Swaps the estimator of the first run, and back. */
  private void swap(boolean there) throws Exception {
    String own = "swapped_grpo";
    shell.say(
        false,
        List.of("swap", "--run", "1", "estimator", there ? own : "rloo", there ? "rloo" : own));
    shell.await("run 1: estimator " + (there ? own + " → rloo" : "rloo → " + own));
  }

  private boolean report(int swaps, Map<String, Long> before, Map<String, Long> after)
      throws Exception {
    long stacks = Files.readAllLines(folder.resolve("said.txt")).stream().filter(bad()).count();
    List<String> ended = new ArrayList<>();
    for (String name : List.of("lake", "sums")) {
      Path log = folder.resolve("output").resolve(name).resolve("run.log");
      List<String> lines = Files.readAllLines(log);
      stacks += lines.stream().filter(bad()).count();
      if (lines.stream().anyMatch(line -> line.contains(" failed") || line.contains(" refused"))) {
        ended.add(name);
      }
    }
    long left = after.get("loaders") - before.get("loaders");
    System.out.printf(
        "%d swaps: %d lines of stacks, runs lost: %s, class loaders left: %d; before %s, after"
            + " %s%n",
        swaps, stacks, ended, left, before, after);
    return stacks == 0 && ended.isEmpty() && left <= 1;
  }

  private static java.util.function.Predicate<String> bad() {
    return STACK.asPredicate();
  }
}
