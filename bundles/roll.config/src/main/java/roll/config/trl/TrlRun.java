package roll.config.trl;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import roll.config.dialect.TranslatedKeys;

/**
 * Batches, length, checkpoints, validations and folders of a run, of transformers'
 * TrainingArguments. TRL counts optimizer steps; a step here plays episodes, too, and has several
 * optimizer steps where these are used several times.
 */
final class TrlRun {
  private static final String ACCUMULATION = "gradient_accumulation_steps";
  private static final String REUSE = "steps_per_generation";
  private static final String GENERATION = "generation_batch_size";
  private static final String EPOCHS = "num_train_epochs";
  private static final List<String> TRACKERS = List.of("tensorboard", "wandb", "mlflow");

  private final TrlOptions options;
  private final TranslatedKeys ours;

  TrlRun(TrlOptions options, TranslatedKeys ours) {
    this.options = options;
    this.ours = ours;
  }

  /**
   * Writes the keys of a run that plays episodes.
   *
   * @return optimizer steps per step
   */
  int putRollouts() {
    int micro = Math.multiplyExact(devices(), options.integer("per_device_train_batch_size"));
    int accumulated = options.integer(ACCUMULATION);
    int passes = options.integer("num_iterations");
    int reuse = reuse(micro, accumulated);
    if (reuse < accumulated && (accumulated % reuse != 0 || passes > 1)) {
      throw options.refused(
          REUSE,
          reuse,
          "it divides gradient_accumulation_steps %d and num_iterations is 1, or it is a multiple"
              .formatted(accumulated));
    }
    int played = Math.max(reuse, accumulated);
    if (played % accumulated != 0) {
      throw options.refused(
          REUSE, reuse, "a multiple of gradient_accumulation_steps %d".formatted(accumulated));
    }
    int batch = Math.multiplyExact(micro, played);
    int group = options.integer("num_generations");
    if (batch % group != 0) {
      throw options.wrong(
          "num_generations",
          "a divisor of the %d responses of a generation (per_device_train_batch_size × devices × steps_per_generation)"
              .formatted(batch),
          group);
    }
    ours.put(
        "rollout_batch_size",
        batch,
        GENERATION,
        REUSE,
        "per_device_train_batch_size",
        ACCUMULATION);
    int updates = Math.multiplyExact(played / accumulated, passes);
    limits(updates, "");
    shared(updates);
    if (!validates()) {
      ours.put("val_before_train", false);
    } else {
      ours.put("val_before_train", options.flag("eval_on_start"), "eval_on_start");
      ours.put("val_batch_size", -1);
      String own = "num_generations_eval";
      ours.copy("val_env_manager.group_size", options.has(own) ? own : "num_generations");
    }
    return updates;
  }

  private int reuse(int micro, int accumulated) {
    if (options.has(GENERATION)) {
      int batch = options.integer(GENERATION);
      if (options.has(REUSE)) {
        throw options.refused(REUSE, options.value(REUSE), "not together with " + GENERATION);
      }
      if (batch % micro != 0) {
        throw options.wrong(GENERATION, "a multiple of " + micro, batch);
      }
      return batch / micro;
    }
    return options.has(REUSE) ? options.integer(REUSE) : accumulated;
  }

  /** Writes the keys of a run of supervised training. */
  void putSupervised() {
    limits(1, options.trainer() == TrlTrainer.SFT ? "sft.epochs" : "preference.epochs");
    shared(1);
  }

  private int devices() {
    return TrlModel.devices(options, ours);
  }

  /** Writes the length of the run; {@code max_steps} replaces epochs. */
  private void limits(int updates, String epochsKey) {
    if (options.integer("max_steps") > 0) {
      ours.put("max_steps", steps("max_steps", updates), "max_steps");
      options.idle(EPOCHS, "max_steps is given");
      return;
    }
    double epochs = options.number(EPOCHS);
    if (epochs != Math.rint(epochs)) {
      throw options.refused(EPOCHS, epochs, "an integer, or max_steps");
    }
    ours.put(epochsKey.isEmpty() ? EPOCHS : epochsKey, (int) epochs, EPOCHS);
  }

  /** Converts optimizer steps to steps, rounded up. */
  private int steps(String key, int updates) {
    double written = options.number(key);
    if (written < 1) {
      throw options.refused(key, written, "write a number of steps, not a fraction of the run");
    }
    long steps = (long) Math.ceil(written / updates);
    if (updates > 1 && options.given(key)) {
      options.notice(
          "key '%s' counts optimizer steps, of which a step has %d: it is read as %d"
              .formatted(key, updates, steps));
    }
    return (int) Math.min(Integer.MAX_VALUE, steps);
  }

  private boolean validates() {
    return !options.text("eval_strategy").equals("no");
  }

  private void shared(int updates) {
    String eval = options.text("eval_strategy");
    if (!List.of("no", "steps").contains(eval)) {
      throw options.refused("eval_strategy", eval, "write steps, with eval_steps");
    }
    if (!validates()) {
      options.idle("eval_steps", "eval_strategy is no");
      ours.put("eval_steps", 0);
    } else {
      String key = options.has("eval_steps") ? "eval_steps" : "logging_steps";
      ours.put("eval_steps", steps(key, updates), key);
    }
    if (options.text("save_strategy").equals("no")) {
      ours.put("save_steps", 0, "save_strategy");
    } else {
      ours.put("save_steps", steps("save_steps", updates), "save_steps");
    }
    warmUp();
    for (String same : List.of("lr_scheduler_kwargs", "resume_from_checkpoint")) {
      if (options.given(same)) {
        boolean schedule = same.startsWith("lr");
        ours.copy((schedule ? "actor_train.training_args." : "") + same, same);
      }
    }
    folder();
    trackers();
  }

  private void warmUp() {
    String args = "actor_train.training_args.";
    double warm = options.number("warmup_steps");
    if (warm == 0 && options.has("warmup_ratio")) {
      ours.copy(args + "warmup_ratio", "warmup_ratio");
    } else if (warm > 0 && warm < 1) {
      ours.put(args + "warmup_ratio", warm, "warmup_steps");
    } else {
      ours.put(args + "warmup_steps", (int) warm, "warmup_steps");
    }
  }

  /** Sets the output folder of the run, named after its last folder. */
  private void folder() {
    if (!options.given("output_dir")) {
      return;
    }
    Path folder;
    try {
      folder = Path.of(options.text("output_dir")).normalize();
    } catch (InvalidPathException e) {
      throw options.wrong("output_dir", "the name of a folder", options.value("output_dir"));
    }
    Path above = Objects.requireNonNullElse(folder.getParent(), Path.of("."));
    ours.put("output_dir", above.toString(), "output_dir");
    ours.put("exp_name", String.valueOf(folder.getFileName()), "output_dir");
  }

  private void trackers() {
    List<String> named = new ArrayList<>(options.texts("report_to"));
    named.removeIf(name -> name.equals("none"));
    List<String> found = new ArrayList<>(List.of("console", "jsonl", "chart"));
    for (String name : named) {
      if (TRACKERS.contains(name)) {
        found.add(name);
      } else {
        options.notice("key 'report_to' has no effect here: there is no tracker " + name);
      }
    }
    if (found.size() > 3) {
      ours.put("track_with", found, "report_to");
    }
  }
}
