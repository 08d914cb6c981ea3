package roll.ui.run;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.option.UserException;
import roll.runtime.listing.ListedRun;
import roll.runtime.listing.RunListing;
import roll.runtime.listing.RunQuery;
import roll.runtime.pipeline.Trainer;

/** Lists runs as the page does, for commands. */
@Component(name = "roll.ui.listing")
public final class FolderListing implements RunListing {
  private static final long MAX_HOURS = 1;

  private final Trainer trainer;

  /** Creates a listing that has the runs of {@code trainer} too. */
  @Activate
  public FolderListing(@Reference Trainer trainer) {
    this.trainer = trainer;
  }

  @Override
  public List<ListedRun> list(Path folder, RunQuery query) {
    Path root = folder.toAbsolutePath().normalize();
    if (!Files.isDirectory(root)) {
      throw new UserException("runs: " + folder + " is not a folder");
    }
    RunSummaries summaries = new RunSummaries(new RunFolders(trainer, List.of(root)));
    long deadline = System.nanoTime() + TimeUnit.HOURS.toNanos(MAX_HOURS);
    return RunSelection.of(summaries, query, deadline).rows().stream()
        .filter(row -> Path.of(row.run().folder()).startsWith(root))
        .map(FolderListing::listed)
        .toList();
  }

  private static ListedRun listed(RunSelection.Row row) {
    RunSummary run = row.run();
    Map<String, Double> headline = new LinkedHashMap<>(run.headline());
    headline.values().removeIf(value -> !Double.isFinite(value));
    return new ListedRun(
        run.name(),
        run.folder(),
        run.state(),
        run.step(),
        run.maxSteps(),
        run.started(),
        run.ended(),
        headline,
        row.notes().note(),
        row.notes().tags(),
        row.notes().archived(),
        row.columns());
  }
}
