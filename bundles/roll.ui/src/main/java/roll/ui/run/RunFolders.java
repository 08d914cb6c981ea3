package roll.ui.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import roll.http.HttpRefusal;
import roll.runtime.pipeline.Trainer;

/** The runs of this process, and those that are found in folders. */
public final class RunFolders {
  private final Trainer trainer;
  private final List<Path> folders;

  /** The runs of {@code trainer} and those directly below {@code folders}. */
  public RunFolders(Trainer trainer, List<Path> folders) {
    this.trainer = trainer;
    this.folders = List.copyOf(folders);
  }

  /** All of them, those of this process first. */
  public List<RunEntry> all() {
    Map<Path, RunEntry> all = new LinkedHashMap<>();
    trainer.runs().reversed().forEach(run -> put(all, RunEntry.of(run.folder(), run)));
    for (Path folder : folders) {
      try (Stream<Path> inside = Files.list(folder)) {
        inside
            .filter(run -> Files.isRegularFile(run.resolve("config.yaml")))
            .sorted()
            .forEach(run -> put(all, RunEntry.of(run, null)));
      } catch (IOException | UncheckedIOException e) {
        // a folder that is not there yet has no runs
      }
    }
    return List.copyOf(all.values());
  }

  private static void put(Map<Path, RunEntry> all, RunEntry entry) {
    all.putIfAbsent(entry.folder(), entry);
  }

  /**
   * The run that {@code id} names.
   *
   * @throws HttpRefusal 404 if there is none
   */
  public RunEntry find(String id) {
    return all().stream()
        .filter(entry -> entry.id().equals(id))
        .findFirst()
        .orElseThrow(() -> new HttpRefusal(404, "no run '" + id + "'"));
  }
}
