package roll.sweep;

import static org.osgi.service.component.annotations.ReferenceCardinality.OPTIONAL;
import static org.osgi.service.component.annotations.ReferencePolicyOption.GREEDY;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import roll.api.device.DeviceInspector;
import roll.api.option.UserException;
import roll.runtime.config.ConfigLoader;
import roll.runtime.config.LoadedConfig;
import roll.runtime.pipeline.Planner;
import roll.runtime.pipeline.Trainer;
import roll.runtime.sweep.SweepRequest;
import roll.runtime.sweep.SweepResult;
import roll.runtime.sweep.SweepRun;
import roll.runtime.sweep.Sweeper;
import roll.runtime.sweep.SweptRun.State;

/** Runs sweeps with one process per run. */
@Component(name = "roll.sweep")
public final class ProcessSweeper implements Sweeper {
  private final ConfigLoader loader;
  private final Trainer trainer;
  private final Supplier<RunLaunch> launches;
  private final @Nullable Planner planner;
  private final @Nullable DeviceInspector devices;
  private final List<SweepRun> active = new CopyOnWriteArrayList<>();

  /** A sweeper; without the last two services, concurrent runs are not checked to fit. */
  @Activate
  public ProcessSweeper(
      @Reference ConfigLoader loader,
      @Reference Trainer trainer,
      @Reference(cardinality = OPTIONAL, policyOption = GREEDY) @Nullable Planner planner,
      @Reference(cardinality = OPTIONAL, policyOption = GREEDY) @Nullable DeviceInspector devices) {
    this(loader, trainer, planner, devices, RunLaunch::own);
  }

  /** A sweeper that starts processes by {@code launches}. */
  ProcessSweeper(
      ConfigLoader loader,
      Trainer trainer,
      @Nullable Planner planner,
      @Nullable DeviceInspector devices,
      Supplier<RunLaunch> launches) {
    this.launches = launches;
    this.loader = loader;
    this.trainer = trainer;
    this.planner = planner;
    this.devices = devices;
  }

  @Deactivate
  void deactivate() {
    active.forEach(SweepRun::stop);
    active.forEach(run -> run.outcome().handle((result, failure) -> true).join());
  }

  @Override
  public SweepRun start(SweepRequest order, Consumer<String> lines) {
    SweepSpace space = SweepSpace.of(order.keys());
    RunLaunch launch = launches.get();
    RunConfigs configs = new RunConfigs(loader, order.file(), order.sft(), space);
    String command = order.sft() ? "sft" : "train";
    Path folder = configs.folder();
    List<SweepRecord.Entry> asked = new ArrayList<>();
    List<String> notices = new ArrayList<>();
    List<Map<String, String>> places = List.of();
    for (Combination combination : space.combinations()) {
      LoadedConfig config = configs.load(combination);
      List<String> found = order.sft() ? config.notices() : trainer.check(config);
      if (asked.isEmpty()) {
        notices.addAll(found);
        places =
            JobEnvironments.of(
                order.jobs(),
                config,
                devices,
                planner,
                System.getenv(),
                Runtime.getRuntime().availableProcessors());
      }
      asked.add(
          new SweepRecord.Entry(
              configs.name(combination),
              combination.values(),
              RunConfigs.digest(config),
              State.WAITING,
              null));
    }
    boolean there = requireFolder(folder);
    SweepLock lock = SweepLock.take(folder);
    try {
      SweepRecord before =
          there
              ? SweepRecord.read(folder)
              : new SweepRecord(command, order.file().toString(), space.keys(), List.of());
      ExistingRuns known = new ExistingRuns(folder, before, configs);
      known.require(command, space.keys());
      SweepRecord record = before;
      List<SweepRecord.Entry> todo = new ArrayList<>();
      for (SweepRecord.Entry run : asked) {
        if (!known.finished(run)) {
          record = record.with(run);
          todo.add(run);
        }
      }
      record.write(folder);
      notices.add(
          "%d runs, %d already finished, at most %d concurrent"
              .formatted(asked.size(), asked.size() - todo.size(), order.jobs()));
      RunStarter starter = new RunStarter(launch, command, order.file(), configs);
      SweepJob job =
          new SweepJob(folder, record, todo, notices, starter, lock, order.metric(), lines);
      active.add(job);
      var unused = job.outcome().whenComplete((result, failure) -> active.remove(job));
      job.begin(places);
      return job;
    } catch (RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  /**
   * Returns whether {@code folder} contains a sweep.
   *
   * @throws UserException if it contains something else
   */
  private static boolean requireFolder(Path folder) {
    if (Files.exists(folder.resolve(SweepRecord.FILE))) {
      return true;
    }
    if (Files.isDirectory(folder)) {
      try (Stream<Path> entries = Files.list(folder)) {
        if (entries.anyMatch(e -> !e.endsWith(SweepLock.FILE) && !e.endsWith(SweepLock.OWNER))) {
          throw new UserException(
              "sweep: %s exists and contains no sweep: set another exp_name or output_dir"
                  .formatted(folder));
        }
      } catch (IOException e) {
        throw new UserException("sweep folder " + folder + " cannot be read: " + IoReason.of(e), e);
      }
    }
    return false;
  }

  @Override
  public SweepResult show(Path folder, @Nullable String metric) {
    return SweepPicture.draw(SweepSummary.of(folder, SweepRecord.read(folder), metric));
  }
}
