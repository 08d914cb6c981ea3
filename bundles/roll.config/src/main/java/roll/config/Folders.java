package roll.config;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import roll.api.config.UserException;

/** Finds the folders a configuration names. */
final class Folders {
  private final Section run;
  private final Path beside;

  /** For {@code run}, which came from a file in the folder {@code beside}. */
  Folders(Section run, Path beside) {
    this.run = run;
    this.beside = beside;
  }

  /**
   * Makes model folders absolute: relative ones are looked for in the current folder, then beside
   * the configuration file, then one folder up. A role without a model of its own gets {@code
   * pretrain}.
   *
   * @throws UserException if a model is not named or not there
   */
  void settle() {
    List<Section> models =
        List.of("actor_train", "actor_infer", "reference").stream()
            .filter(run::has)
            .map(role -> run.section(role).section("model_args"))
            .toList();
    String named = models.getFirst().textOrNull("model_name_or_path");
    if (run.has("pretrain")) {
      run.settle("pretrain", found(run, "pretrain"));
    } else if (named == null) {
      throw new UserException(run.where("pretrain") + " is missing: it names the model folder");
    } else {
      run.settle("pretrain", found(models.getFirst(), "model_name_or_path"));
    }
    for (Section model : models) {
      model.settle(
          "model_name_or_path",
          model.has("model_name_or_path")
              ? found(model, "model_name_or_path")
              : run.text("pretrain"));
    }
    if (run.value("resume_from_checkpoint") instanceof String checkpoint
        && !Files.isDirectory(Path.of(checkpoint))) {
      throw new UserException(
          run.where("resume_from_checkpoint") + ": no folder '" + checkpoint + "'");
    }
  }

  private String found(Section section, String key) {
    String name = section.text(key);
    for (Path folder :
        List.of(Path.of(name), beside.resolve(name), beside.resolve("..").resolve(name))) {
      if (!name.isBlank() && Files.isDirectory(folder)) {
        return folder.toAbsolutePath().normalize().toString();
      }
    }
    throw new UserException(
        section.where(key)
            + ": no folder '"
            + name
            + "' here or beside the configuration file (models are read from local folders, nothing"
            + " is downloaded)");
  }
}
