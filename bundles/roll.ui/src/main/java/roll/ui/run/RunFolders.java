package roll.ui.run;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import roll.http.HttpRefusal;
import roll.runtime.pipeline.Trainer;
import roll.runtime.pipeline.TrainingRun;

/** The runs of this process, and those whose folders are found below others. */
public final class RunFolders {
  /** Levels below a folder in which runs are looked for. */
  static final int DEPTH = 4;

  private final Trainer trainer;
  private final FolderScan scan;
  private final long restNanos;
  private Map<String, RunEntry> found = Map.of();
  private long next;

  /** The runs of {@code trainer} and those found below {@code folders}. */
  public RunFolders(Trainer trainer, List<Path> folders) {
    this(trainer, folders, Duration.ofMillis(900));
  }

  /** The same; {@code rest} passes between two scans, however often somebody asks. */
  RunFolders(Trainer trainer, List<Path> folders, Duration rest) {
    this.trainer = trainer;
    scan =
        new FolderScan(folders.stream().map(f -> f.toAbsolutePath().normalize()).toList(), DEPTH);
    restNanos = rest.toNanos();
    next = System.nanoTime();
  }

  /** All of them, those of this process first; of several into one folder the last. */
  public List<RunEntry> all() {
    Map<String, RunEntry> all = own();
    scanned().forEach(all::putIfAbsent);
    return new ArrayList<>(all.values());
  }

  /** The runs of this process by id, the last first. */
  private Map<String, RunEntry> own() {
    Map<String, RunEntry> own = new LinkedHashMap<>();
    for (TrainingRun run : trainer.runs().reversed()) {
      RunEntry entry = RunEntry.of(run.folder(), run);
      own.putIfAbsent(entry.id(), entry);
    }
    return own;
  }

  private synchronized Map<String, RunEntry> scanned() {
    if (System.nanoTime() - next >= 0) {
      Map<String, RunEntry> before = found;
      Map<String, RunEntry> now = new LinkedHashMap<>();
      Map<Path, RunEntry> known = new HashMap<>();
      before.values().forEach(entry -> known.put(entry.folder(), entry));
      for (Path folder : scan.runs()) {
        RunEntry entry = known.computeIfAbsent(folder, path -> RunEntry.of(path, null));
        now.put(entry.id(), entry);
      }
      found = now;
      next = System.nanoTime() + restNanos;
    }
    return found;
  }

  /**
   * The run {@code id}.
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
