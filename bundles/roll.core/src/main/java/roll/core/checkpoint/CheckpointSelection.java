package roll.core.checkpoint;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;

/**
 * The choice among {@code checkpoints} of the one that a run continues from; those that it does not
 * are renamed when it begins.
 */
record CheckpointSelection(Checkpoints checkpoints) {
  /**
   * A checkpoint that a run may continue from.
   *
   * @param checkpoint the newest that is whole, or null where there is none at all
   * @param damaged newer ones with what is wrong with each, newest first
   */
  record Newest(@Nullable Path checkpoint, Map<Path, String> damaged) {}

  /**
   * Returns the newest complete checkpoint; changes nothing.
   *
   * @throws UserException if there are checkpoints and all are damaged, or a newer version of roll
   *     wrote one that would be continued from
   */
  Newest newest() throws IOException {
    LinkedHashMap<Path, String> damaged = new LinkedHashMap<>();
    for (Path checkpoint : checkpoints.list().reversed()) {
      CheckpointManifest.requireKnown(checkpoint);
      String problem = CheckpointManifest.problem(checkpoint);
      if (problem == null) {
        return new Newest(checkpoint, damaged);
      }
      damaged.put(checkpoint, problem);
    }
    Map.Entry<Path, String> first = damaged.firstEntry();
    if (first != null) {
      throw new UserException(
          "resume_from_checkpoint: %s is damaged: %s; no other checkpoint is whole: set another"
                  .formatted(first.getKey(), first.getValue())
              + " exp_name or output_dir to start over");
    }
    return new Newest(null, Map.of());
  }

  /** Renames damaged checkpoints to {@code checkpoint-N.damaged} and reports them. */
  void setAside(Newest newest, Consumer<String> notices) throws IOException {
    for (Map.Entry<Path, String> one : newest.damaged().entrySet()) {
      Path aside = aside(one.getKey(), "damaged");
      notices.accept(
          "%s is damaged: %s; it is now %s, and the run continues from %s"
              .formatted(
                  one.getKey(),
                  one.getValue(),
                  aside.getFileName(),
                  Objects.requireNonNull(newest.checkpoint()).getFileName()));
    }
  }

  /**
   * Sees that {@code checkpoint}, which the configuration names, is whole.
   *
   * @throws UserException naming the file that is damaged, and the checkpoints beside it, or its
   *     format if a newer version of roll wrote it
   */
  void require(Path checkpoint) throws IOException {
    CheckpointManifest.requireKnown(checkpoint);
    String problem = CheckpointManifest.problem(checkpoint);
    if (problem != null) {
      List<Path> others =
          checkpoints.list().stream().filter(other -> !same(other, checkpoint)).toList();
      throw new UserException(
          "resume_from_checkpoint: %s is %s: %s%s"
              .formatted(
                  checkpoint,
                  problem.startsWith(PipelineState.FILE) ? "no checkpoint" : "damaged",
                  problem,
                  others.isEmpty()
                      ? ""
                      : "; others in "
                          + checkpoints.folder()
                          + ": "
                          + String.join(", ", names(others))));
    }
  }

  private static List<String> names(List<Path> paths) {
    return paths.stream().map(path -> String.valueOf(path.getFileName())).toList();
  }

  private static boolean same(Path one, Path other) {
    return one.toAbsolutePath().normalize().equals(other.toAbsolutePath().normalize());
  }

  /**
   * Renames to {@code checkpoint-N.old} what a run that continues from {@code from} after {@code
   * step} steps leaves behind, so that it is not taken for this run's: later checkpoints, and all
   * where {@code from} is another run's.
   */
  void setAside(Path from, int step, Consumer<String> notices) throws IOException {
    boolean own = checkpoints.list().stream().anyMatch(checkpoint -> same(checkpoint, from));
    for (Path checkpoint : checkpoints.list()) {
      if (!own || Checkpoints.number(checkpoint) > step) {
        Path aside = aside(checkpoint, "old");
        notices.accept(
            "%s is not on the way from %s: it is now %s"
                .formatted(checkpoint, from, aside.getFileName()));
      }
    }
  }

  private static Path aside(Path checkpoint, String why) throws IOException {
    Path aside = checkpoint.resolveSibling(checkpoint.getFileName() + "." + why);
    for (int n = 2; Files.exists(aside); n++) {
      aside = checkpoint.resolveSibling(checkpoint.getFileName() + "." + why + "." + n);
    }
    Checkpoints.move(checkpoint, aside);
    return aside;
  }
}
