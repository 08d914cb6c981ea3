package roll.core.trajectory;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import roll.api.data.Trajectory;
import roll.api.model.Tokenizer;
import roll.runtime.trace.TraceScope;

/**
 * Writes trajectories as text for people and programs: {@code trajectories/step-N.jsonl}, and the
 * pictures beside.
 */
public final class TrajectoryFiles {
  private final Path folder;
  private final TokenTexts texts;

  /** Files of the run whose output folder is {@code run}, with the texts of {@code tokenizer}. */
  public TrajectoryFiles(Path run, Tokenizer tokenizer) {
    folder = run.resolve("trajectories");
    texts = new TokenTexts(tokenizer);
  }

  /** Writes the trajectories of a step that nothing is trained on, one JSON object per line. */
  public void write(int step, List<Trajectory> trajectories) throws IOException {
    write(step, trajectories, TrainedSamples.NONE, TraceScope.NONE);
  }

  /**
   * Writes trajectories with the training data of their tokens and the ids of their traces. The
   * file is there at once, never half written.
   */
  public void write(
      int step, List<Trajectory> trajectories, TrainedSamples trained, TraceScope traces)
      throws IOException {
    Files.createDirectories(folder);
    PictureFiles pictures = new PictureFiles(folder);
    Path file = folder.resolve("step-" + step + ".jsonl");
    Path beside = folder.resolve("." + file.getFileName() + ".tmp");
    try (Writer out = Files.newBufferedWriter(beside)) {
      for (Trajectory trajectory : trajectories) {
        pictures.write(trajectory);
        out.write(TrajectoryJson.write(trajectory, trained, traces, texts));
        out.write('\n');
      }
    }
    Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE);
  }
}
