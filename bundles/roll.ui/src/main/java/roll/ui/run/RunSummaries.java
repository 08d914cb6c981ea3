package roll.ui.run;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The list of runs, and what is known of each folder. */
public final class RunSummaries {
  private static final Logger LOG = LoggerFactory.getLogger("roll.ui");

  private final RunFolders folders;
  private final Map<Path, FolderFacts> facts = new ConcurrentHashMap<>();

  /** Of {@code folders}, nothing read. */
  public RunSummaries(RunFolders folders) {
    this.folders = folders;
  }

  /**
   * All runs, newest first: those that go on, here or elsewhere, by when they were started, the
   * others by when they ended. A folder that cannot be read is left out, and costs no other its
   * place.
   */
  public List<RunSummary> all() {
    List<RunEntry> entries = folders.all();
    facts.keySet().retainAll(entries.stream().map(RunEntry::folder).collect(Collectors.toSet()));
    List<RunSummary> all = new ArrayList<>();
    for (RunEntry entry : entries) {
      try {
        all.add(of(entry));
      } catch (IOException e) {
        // it has gone, or is not for this user
      } catch (RuntimeException | StackOverflowError e) { // of what others wrote into it
        LOG.warn("{} is left out of the list of runs", entry.folder(), e);
      }
    }
    all.sort(
        Comparator.comparing(RunSummaries::goesOn)
            .thenComparing(RunSummaries::age)
            .reversed()
            .thenComparing(RunSummary::folder));
    return all;
  }

  private static boolean goesOn(RunSummary run) {
    return run.live() || run.ended() == null;
  }

  private static long age(RunSummary run) {
    Long at = goesOn(run) ? run.started() : run.ended();
    return at == null ? run.updated() : at;
  }

  /**
   * One run.
   *
   * @throws IOException if its folder cannot be read
   */
  public RunSummary of(RunEntry entry) throws IOException {
    return facts(entry).summary(entry);
  }

  /** What is known of its folder. */
  FolderFacts facts(RunEntry entry) {
    return facts.computeIfAbsent(entry.folder(), FolderFacts::new);
  }
}
