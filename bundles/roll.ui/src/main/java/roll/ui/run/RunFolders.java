package roll.ui.run;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import roll.http.HttpRefusal;
import roll.runtime.pipeline.Trainer;
import roll.runtime.pipeline.TrainingRun;
import roll.ui.metric.MetricFiles;

/** The runs of this process, and those whose folders are below given ones. */
public final class RunFolders {
  /** Levels below a folder that are searched. */
  static final int DEPTH = 4;

  private static final int MAX_FOLDERS = 20_000;

  /** The pause after a scan, in durations of that scan, in addition to the usual pause. */
  private static final int PAUSE_FACTOR = 9;

  private final Trainer trainer;
  private final List<Path> roots;
  private final long restNanos;

  /** Ended runs whose folders were deleted: the trainer has them until the process ends. */
  private final Set<TrainingRun> deleted =
      Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));

  private Map<String, RunEntry> found = Map.of();
  private long next;

  /** The runs of {@code trainer} and those found below {@code folders}. */
  public RunFolders(Trainer trainer, List<Path> folders) {
    this(trainer, folders, Duration.ofMillis(900));
  }

  /** Like {@link #RunFolders(Trainer, List)}, with a pause of {@code rest} between two scans. */
  RunFolders(Trainer trainer, List<Path> folders, Duration rest) {
    this.trainer = trainer;
    roots = folders.stream().map(f -> f.toAbsolutePath().normalize()).toList();
    restNanos = rest.toNanos();
    next = System.nanoTime();
  }

  /** Returns all runs, those of this process first; of several in one folder the last. */
  public List<RunEntry> all() {
    Map<String, RunEntry> all = own();
    scanned().forEach(all::putIfAbsent);
    return new ArrayList<>(all.values());
  }

  /** Returns the runs of this process by id, the last one first. */
  private Map<String, RunEntry> own() {
    Map<String, RunEntry> own = new LinkedHashMap<>();
    for (TrainingRun run : trainer.runs().reversed()) {
      if (!deleted.contains(run)) {
        RunEntry entry = RunEntry.of(run.folder(), run);
        own.putIfAbsent(entry.id(), entry);
      }
    }
    return own;
  }

  private synchronized Map<String, RunEntry> scanned() {
    if (System.nanoTime() - next >= 0) {
      Map<String, RunEntry> before = found;
      Map<String, RunEntry> now = new LinkedHashMap<>();
      Map<Path, RunEntry> known = new HashMap<>();
      before.values().forEach(entry -> known.put(entry.folder(), entry));
      long begun = System.nanoTime();
      for (Path folder : scan()) {
        RunEntry entry = known.computeIfAbsent(folder, path -> RunEntry.of(path, null));
        now.put(entry.id(), entry);
      }
      found = now;
      long ended = System.nanoTime();
      next = ended + restNanos + PAUSE_FACTOR * Math.min(ended - begun, restNanos);
    }
    return found;
  }

  /** Lists {@code entry} no longer, whose folder was deleted since the last scan. */
  public synchronized void forget(RunEntry entry) {
    trainer.runs().stream()
        .filter(run -> !run.status().state().active())
        .filter(run -> RunEntry.of(run.folder(), run).id().equals(entry.id()))
        .forEach(deleted::add);
    Map<String, RunEntry> left = new LinkedHashMap<>(found);
    left.remove(entry.id());
    found = left;
  }

  /**
   * Returns the folders of runs, in no order. Links are not followed, except for the roots; the
   * folder of a run is not searched.
   */
  private List<Path> scan() {
    List<Path> runs = new ArrayList<>();
    int left = MAX_FOLDERS;
    for (Path root : roots) {
      left = visit(root, DEPTH, left, runs);
    }
    return runs;
  }

  /** Visits at most {@code left} folders, and returns how many of them remain. */
  private static int visit(Path folder, int levels, int left, List<Path> runs) {
    int then = left - 1;
    if (isFile(folder.resolve(ConfigSummary.NAME))
        && (isFile(folder.resolve(MetricFiles.NAME)) || isFile(folder.resolve(RunLog.NAME)))) {
      runs.add(folder);
    } else if (levels > 0) {
      try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
        for (Path entry : entries) {
          if (then > 0
              && !entry.getFileName().toString().startsWith(".")
              && Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
            then = visit(entry, levels - 1, then, runs);
          }
        }
      } catch (IOException | DirectoryIteratorException e) {
        // it was removed, or is not readable
      }
    }
    return then;
  }

  private static boolean isFile(Path file) {
    return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
  }

  /**
   * Returns the run with the id {@code id}.
   *
   * @throws HttpRefusal 404 if there is none
   */
  public RunEntry find(String id) {
    RunEntry entry = own().get(id);
    if (entry == null) {
      entry = scanned().get(id);
    }
    if (entry == null) {
      throw new HttpRefusal(404, "no run '" + id + "'");
    }
    return entry;
  }
}
