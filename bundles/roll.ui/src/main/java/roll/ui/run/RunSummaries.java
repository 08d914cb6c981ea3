package roll.ui.run;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The list of runs, and the folder of each. */
public final class RunSummaries {
  private static final Logger LOG = LoggerFactory.getLogger("roll.ui");

  private final RunFolders folders;
  private final Map<Path, RunFolder> runFolders = new ConcurrentHashMap<>();

  /** The runs of {@code folders}; nothing is read yet. */
  public RunSummaries(RunFolders folders) {
    this.folders = folders;
  }

  /**
   * Returns all runs, newest first: active ones, of this or another process, by their start, the
   * others by their end. A folder that cannot be read is left out.
   */
  public List<RunSummary> all() {
    List<RunEntry> entries = folders.all();
    runFolders
        .keySet()
        .retainAll(entries.stream().map(RunEntry::folder).collect(Collectors.toSet()));
    return entries.parallelStream()
        .flatMap(this::readable)
        .sorted(
            Comparator.comparing(RunSummaries::isActive)
                .thenComparing(RunSummaries::age)
                .reversed()
                .thenComparing(RunSummary::folder))
        .toList();
  }

  private Stream<RunSummary> readable(RunEntry entry) {
    try {
      return Stream.of(of(entry));
    } catch (IOException e) {
      // it was removed, or is not readable
    } catch (RuntimeException | StackOverflowError e) { // because of its contents
      LOG.warn("{} is left out of the list of runs", entry.folder(), e);
    }
    return Stream.empty();
  }

  private static boolean isActive(RunSummary run) {
    return run.live() || run.ended() == null;
  }

  private static long age(RunSummary run) {
    Long at = isActive(run) ? run.started() : run.ended();
    return at == null ? run.updated() : at;
  }

  /**
   * Returns the summary of one run.
   *
   * @throws IOException if its folder cannot be read
   */
  public RunSummary of(RunEntry entry) throws IOException {
    return folder(entry).summary(entry);
  }

  /** Returns the folder of the run {@code run}. */
  RunFolder folder(RunSummary run) {
    return runFolders.computeIfAbsent(Path.of(run.folder()), RunFolder::new);
  }

  /** Returns the folder of the run {@code entry}. */
  RunFolder folder(RunEntry entry) {
    return runFolders.computeIfAbsent(entry.folder(), RunFolder::new);
  }
}
