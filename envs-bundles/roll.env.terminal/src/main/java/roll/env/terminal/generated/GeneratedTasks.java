package roll.env.terminal.generated;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import roll.api.data.RandomStreams;
import roll.api.env.EpisodeStart;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.option.UserException;
import roll.env.terminal.task.TaskFolder;
import roll.env.terminal.task.TerminalTask;
import roll.grid.LevelSplit;

/** Generated tasks by seed. They are written to a folder when they are played, and read from it. */
public final class GeneratedTasks {
  private final List<TaskKind> kinds;
  private final LevelSplit split;
  private final double unfinished;
  private final Path folder;
  private final boolean images;
  private final Map<GeneratedTask, TerminalTask> written = new ConcurrentHashMap<>();
  private final AtomicInteger count = new AtomicInteger();

  private GeneratedTasks(
      List<TaskKind> kinds, LevelSplit split, double unfinished, Path folder, boolean images) {
    this.kinds = kinds;
    this.split = split;
    this.unfinished = unfinished;
    this.folder = folder;
    this.images = images;
  }

  /**
   * Returns tasks of the kinds that {@code option} names.
   *
   * @param unfinished share of tasks whose demonstration fails
   * @param folder for their files; belongs to the caller
   * @param images whether workspaces begin as the images of tasks
   * @throws UserException if there is no such kind
   */
  public static GeneratedTasks of(
      Options options,
      Option<List<String>> option,
      double unfinished,
      Path folder,
      boolean images) {
    List<TaskKind> kinds = new ArrayList<>();
    for (String name : options.get(option)) {
      if (!TaskKind.names().contains(name)) {
        throw options.wrong(option, String.join(", ", TaskKind.names()));
      }
      kinds.add(TaskKind.valueOf(name.toUpperCase(Locale.ROOT)));
    }
    return new GeneratedTasks(
        List.copyOf(kinds), new LevelSplit(options), unfinished, folder, images);
  }

  /** Returns the task of {@code seed}, one of {@code kinds}. */
  public static GeneratedTask generate(List<TaskKind> kinds, long seed) {
    RandomGenerator random = RandomStreams.of(seed, "terminal/generated");
    return kinds.get(random.nextInt(kinds.size())).make(random);
  }

  /** Returns the task of an episode; validation and training have none in common. */
  public TerminalTask of(EpisodeStart start) {
    GeneratedTask task =
        split.draw(
            start,
            seed -> generate(kinds, seed),
            made -> made.instruction() + made.demonstration());
    boolean fails = RandomStreams.of(start.seed(), "terminal/unfinished").nextDouble() < unfinished;
    return written.computeIfAbsent(fails ? task.unfinished() : task, this::written);
  }

  private TerminalTask written(GeneratedTask task) {
    Path place = folder.resolve(task.kind() + "-" + count.incrementAndGet());
    task.write(place);
    return new TaskFolder(place, images ? null : Set.of("python")).read();
  }
}
