package roll.core.trajectory;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import roll.api.data.Trajectory;
import roll.api.model.Tokenizer;
import roll.runtime.trace.TraceScope;

/**
 * Writes trajectories as text for people and programs: {@code trajectories/step-N.jsonl}, and the
 * pictures beside. Two equal runs have the same bytes there, so the times of the episodes are in
 * {@code times/step-N.jsonl}.
 */
public final class TrajectoryFiles {
  private final Path folder;
  private final Path times;
  private final TokenTexts texts;

  /** Files of the run whose output folder is {@code run}, with the texts of {@code tokenizer}. */
  public TrajectoryFiles(Path run, Tokenizer tokenizer) {
    folder = run.resolve("trajectories");
    times = run.resolve("times");
    texts = new TokenTexts(tokenizer);
  }

  /** Writes the trajectories of a step that nothing is trained on, one JSON object per line. */
  public void write(int step, List<Trajectory> trajectories, TraceScope traces) throws IOException {
    write(step, trajectories, TrainedSamples.NONE, traces);
  }

  /**
   * Writes trajectories with the training data of their tokens, the ids of their traces and their
   * times. The files are there at once, never half written.
   */
  public void write(
      int step, List<Trajectory> trajectories, TrainedSamples trained, TraceScope traces)
      throws IOException {
    Files.createDirectories(folder);
    PictureFiles pictures = new PictureFiles(folder);
    for (Trajectory trajectory : trajectories) {
      pictures.write(trajectory);
    }
    write(
        folder,
        step,
        trajectories.stream()
            .map(trajectory -> TrajectoryJson.write(trajectory, trained, traces, texts)));
    List<String> timed =
        trajectories.stream()
            .flatMap(played -> TimesJson.write(played.id(), traces.takeTimeline(played.id())))
            .toList();
    if (!timed.isEmpty()) {
      Files.createDirectories(times);
      write(times, step, timed.stream());
    }
  }

  private static void write(Path folder, int step, Stream<String> lines) throws IOException {
    Path file = folder.resolve("step-" + step + ".jsonl");
    Path beside = folder.resolve("." + file.getFileName() + ".tmp");
    try (Writer out = Files.newBufferedWriter(beside)) {
      Iterator<String> each = lines.iterator();
      while (each.hasNext()) {
        out.write(each.next());
        out.write('\n');
      }
    }
    Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE);
  }
}
