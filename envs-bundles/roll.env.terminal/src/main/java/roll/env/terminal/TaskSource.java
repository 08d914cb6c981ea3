package roll.env.terminal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import roll.api.data.RandomStreams;
import roll.api.env.EpisodeStart;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.option.UserException;
import roll.env.terminal.generated.GeneratedTasks;
import roll.env.terminal.task.TaskFolder;
import roll.env.terminal.task.TerminalTask;

/** The tasks of episodes. */
interface TaskSource {
  /** Returns the task of an episode. */
  TerminalTask of(EpisodeStart start);

  /** Returns the tasks that are known in advance. */
  Stream<TerminalTask> known();

  /**
   * Reads task folders, or generates tasks.
   *
   * @param folder for generated tasks
   * @param images whether workspaces begin as the images of tasks
   * @throws UserException if there is no task, or one is wrong
   */
  static TaskSource of(Options options, Path folder, boolean images) {
    Set<String> present = images ? null : TerminalOptions.images(options);
    List<String> kinds = options.get(TerminalOptions.GENERATE);
    List<TerminalTask> train = folders(options, TerminalOptions.TRAIN, present);
    List<TerminalTask> validation = folders(options, TerminalOptions.VAL, present);
    if (kinds.isEmpty()) {
      if (train.isEmpty() && validation.isEmpty()) {
        throw new UserException(
            options.where() + "." + TerminalOptions.TRAIN.name() + " is missing (or generate)");
      }
      return new Folders(train, validation);
    }
    if (!train.isEmpty() || !validation.isEmpty()) {
      throw options.wrong(TerminalOptions.GENERATE, "nothing beside task folders");
    }
    double unfinished = options.get(TerminalOptions.UNFINISHED);
    return new Generated(
        GeneratedTasks.of(options, TerminalOptions.GENERATE, unfinished, folder, images));
  }

  private static List<TerminalTask> folders(
      Options options, Option<List<String>> option, @Nullable Set<String> images) {
    List<TerminalTask> tasks = new ArrayList<>();
    for (String name : options.get(option)) {
      Path folder = Path.of(name);
      if (!Files.isDirectory(folder)) {
        throw options.wrong(option, "folders that exist");
      }
      List<Path> found = TaskFolder.isTask(folder) ? List.of(folder) : children(folder);
      if (found.isEmpty()) {
        throw options.wrong(option, "folders with task.toml, or folders of them");
      }
      found.forEach(task -> tasks.add(new TaskFolder(task, images).read()));
    }
    return tasks;
  }

  private static List<Path> children(Path folder) {
    try (Stream<Path> inside = Files.list(folder)) {
      return inside.filter(TaskFolder::isTask).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Tasks in folders: validation plays them in order, training draws them.
   *
   * @param train of training; those of validation if empty
   * @param validation of validation; those of training if empty
   */
  record Folders(List<TerminalTask> train, List<TerminalTask> validation) implements TaskSource {
    @Override
    public TerminalTask of(EpisodeStart start) {
      boolean validates = start.purpose().equals("val") ? !validation.isEmpty() : train.isEmpty();
      List<TerminalTask> all = validates ? validation : train;
      return start.purpose().equals("val")
          ? all.get((int) (start.position() % all.size()))
          : all.get(RandomStreams.of(start.seed(), "terminal").nextInt(all.size()));
    }

    @Override
    public Stream<TerminalTask> known() {
      return Stream.concat(train.stream(), validation.stream());
    }
  }

  /** Generated tasks, a different one for each seed. */
  record Generated(GeneratedTasks tasks) implements TaskSource {
    @Override
    public TerminalTask of(EpisodeStart start) {
      return tasks.of(start);
    }

    @Override
    public Stream<TerminalTask> known() {
      return Stream.empty();
    }
  }
}
