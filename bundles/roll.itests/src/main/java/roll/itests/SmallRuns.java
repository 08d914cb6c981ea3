package roll.itests;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.osgi.framework.BundleContext;
import org.osgi.framework.InvalidSyntaxException;
import roll.runtime.config.ConfigLoader;
import roll.runtime.config.LoadedConfig;
import roll.runtime.pipeline.Trainer;
import roll.runtime.pipeline.TrainingRun;

/** Runs of the shipped configurations that take seconds. */
final class SmallRuns {
  private SmallRuns() {}

  /** Returns the path of a shipped configuration. */
  static Path config(String name) {
    return Path.of(System.getProperty("roll.root"), "configs", name);
  }

  /** Loads {@code config} with 32 trajectories per step; {@code more} comes last. */
  static LoadedConfig load(String config, Path folder, List<String> more) {
    List<String> overrides =
        new ArrayList<>(
            List.of(
                "output_dir=" + folder,
                "pretrain=" + config("models/frozen-lake-tiny"),
                "max_ckpt_to_keep=0",
                "eval_steps=2",
                "logging_steps=2",
                "rollout_batch_size=32",
                "val_batch_size=8",
                "train_env_manager.num_env_groups=4",
                "val_env_manager.num_env_groups=8",
                "actor_train.training_args.per_device_train_batch_size=8",
                "actor_train.training_args.gradient_accumulation_steps=2",
                "track_with=[jsonl, tensorboard, chart]"));
    overrides.addAll(more);
    return service(ConfigLoader.class).load(config(config), overrides);
  }

  /** Returns {@code first} and then {@code more}, which take precedence. */
  static List<String> overrides(String[] more, String... first) {
    return Stream.of(first, more).flatMap(Stream::of).toList();
  }

  /** Starts a run of {@code config}. */
  static TrainingRun start(String config, Path folder, List<String> more) {
    return service(Trainer.class).start(load(config, folder, more));
  }

  /** Waits for the end of {@code run} and returns its folder; rethrows the cause of a failure. */
  static Path finish(TrainingRun run) throws Exception {
    try {
      run.outcome().get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
    return run.folder();
  }

  /** Returns a registered service of {@code type} that matches {@code filter}. */
  static <T> T service(Class<T> type, String filter) throws InvalidSyntaxException {
    BundleContext context = Plugins.context();
    return context.getService(context.getServiceReferences(type, filter).iterator().next());
  }

  /** Returns the registered service of {@code type}. */
  static <T> T service(Class<T> type) {
    BundleContext context = Plugins.context();
    return context.getService(context.getServiceReference(type));
  }

  /** Copies a folder. */
  static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Path target = to.resolve(from.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(target);
        } else {
          Files.copy(file, target);
        }
      }
    }
  }
}
