package roll.config.verl;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import roll.api.option.UserException;
import roll.config.build.RunBuilder;
import roll.config.dialect.TranslatedKeys;

/** Translates verl's trainer options: length, output, and resumption of a run. */
final class VerlSchedule {
  private static final String STEPS = "trainer.total_training_steps";
  private static final String EPOCHS = "trainer.total_epochs";
  private static final String MODE = "trainer.resume_mode";
  private static final String FROM = "trainer.resume_from_path";
  private static final String FOLDER = "trainer.default_local_dir";
  private static final String NAME = "trainer.experiment_name";
  private static final String PROJECT = "trainer.project_name";
  private static final String LOGGER = "trainer.logger";
  private static final String CONSOLE = "console";

  private final VerlOptions options;
  private final TranslatedKeys ours;

  /** Creates the translation of {@code options}. */
  VerlSchedule(VerlOptions options, TranslatedKeys ours) {
    this.options = options;
    this.ours = ours;
  }

  /** Writes the translated keys of verl's trainer options. */
  void put() {
    if (options.given(STEPS)) {
      ours.copy("max_steps", STEPS);
    }
    boolean counted = options.given("data.train_files");
    if (options.given(EPOCHS) || (counted && !options.given(STEPS) && !ours.has("max_steps"))) {
      ours.copy("num_train_epochs", EPOCHS);
    }
    if (counted && !ours.has("custom_envs.Dataset.env_config.val_files")) {
      ours.put("eval_steps", 0);
    } else {
      ours.copy("eval_steps", "trainer.test_freq");
    }
    resume();
    folder();
    trackers();
  }

  /**
   * Writes the translated keys for supervised training.
   *
   * @param validates whether there are files for validation
   */
  void putSupervised(boolean validates) {
    if (options.given(STEPS)) {
      ours.copy("max_steps", STEPS);
    }
    ours.copy("sft.epochs", EPOCHS);
    if (validates) {
      ours.copy("eval_steps", "trainer.test_freq");
    } else {
      ours.put("eval_steps", 0);
    }
    ours.copy("save_steps", "trainer.save_freq");
    ours.copy("max_ckpt_to_keep", "trainer.max_actor_ckpt_to_keep");
    resume();
    folder();
    trackers();
  }

  private void resume() {
    switch (options.text(MODE)) {
      case "disable" -> ours.put("resume_from_checkpoint", false, MODE);
      case "resume_path" -> {
        if (!options.given(FROM)) {
          throw new UserException(options.where(MODE) + ": resume_path needs " + FROM);
        }
        ours.copy("resume_from_checkpoint", FROM);
      }
      default -> ours.put("resume_from_checkpoint", RunBuilder.AUTO, MODE);
    }
  }

  /** Sets the output folder of the run, named after its experiment. */
  private void folder() {
    if (options.given(NAME)) {
      ours.put("exp_name", experiment(), NAME);
    }
    if (!options.given(FOLDER)) {
      return;
    }
    Path folder = path();
    String last = Objects.requireNonNullElse(folder.getFileName(), folder).toString();
    boolean named = ours.has("exp_name") || options.given(NAME);
    if (!named) {
      ours.put("exp_name", last, FOLDER);
    }
    boolean same = !named || last.equals(options.value(NAME));
    Path above = Objects.requireNonNullElse(folder.getParent(), Path.of("."));
    ours.put("output_dir", (same ? above : folder).toString(), FOLDER);
  }

  private Path path() {
    String written = options.text(FOLDER);
    try {
      return Path.of(written).normalize();
    } catch (InvalidPathException e) {
      throw options.wrong(FOLDER, "the name of a folder", written);
    }
  }

  /** Scripts put the id of a model into the name, which has a slash. */
  private String experiment() {
    String written = options.text(NAME);
    String name = written.replace('/', '_');
    if (!name.equals(written)) {
      options.notice("key '%s' is read as %s: it names one folder".formatted(NAME, name));
    }
    return name;
  }

  /** Sets the trackers; the console is always one of them, as in AgentFly's guide. */
  private void trackers() {
    List<String> loggers = new ArrayList<>(options.texts(LOGGER));
    loggers.replaceAll(name -> name.equals("file") ? "jsonl" : name);
    if (options.given(LOGGER)) {
      loggers.remove(CONSOLE);
      loggers.addFirst(CONSOLE);
      ours.put("track_with", loggers, LOGGER);
    }
    if (loggers.contains("wandb") && options.given(PROJECT)) {
      ours.copy("tracker_kwargs.wandb.project", PROJECT);
    }
  }
}
