package roll.core.rollout;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import roll.api.data.Trajectory;
import roll.api.model.Tokenizer;
import roll.core.trajectory.EpisodeGifs;
import roll.core.trajectory.TrajectoryFiles;
import roll.runtime.config.RunConfig;
import roll.runtime.pipeline.RolloutListener;
import roll.runtime.trace.TraceScope;

/** The episodes of a rollout that have ended, also those whose group is not complete. */
final class FinishedEpisodes implements RolloutListener {
  private static final Comparator<Trajectory> ORDER =
      Comparator.comparingInt((Trajectory t) -> t.key().group())
          .thenComparingInt(t -> t.key().episode())
          .thenComparingInt(t -> t.key().member());

  private final Queue<Entry> entries = new ConcurrentLinkedQueue<>();

  private record Entry(Trajectory trajectory, List<BufferedImage> frames) {}

  @Override
  public void played(Trajectory trajectory, List<BufferedImage> frames) {
    entries.add(new Entry(trajectory, frames));
  }

  /** Returns the trajectories in the order of groups, episodes and members. */
  List<Trajectory> trajectories() {
    return entries.stream().map(Entry::trajectory).sorted(ORDER).toList();
  }

  /**
   * Writes {@code trajectories/} and rendered frames into {@code folder}; nothing if there are no
   * episodes.
   */
  void save(RunConfig run, Path folder, Tokenizer tokenizer, TraceScope traces) throws IOException {
    List<Trajectory> trajectories = trajectories();
    if (trajectories.isEmpty()) {
      return;
    }
    new TrajectoryFiles(folder, tokenizer).write(0, trajectories, traces);
    Map<String, List<BufferedImage>> pictures = new LinkedHashMap<>();
    for (Entry entry : entries) {
      if (!entry.frames().isEmpty()) {
        pictures.put(entry.trajectory().id(), entry.frames());
      }
    }
    EpisodeGifs.write(run, 0, pictures);
  }
}
