package roll.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import roll.api.option.UserException;
import roll.config.LoadStage.Purpose;
import roll.config.build.BatchSizeCheck;
import roll.config.build.DependentDefaults;
import roll.config.build.DeviceLayoutCheck;
import roll.config.build.IneffectiveKeys;
import roll.config.build.PathResolver;
import roll.config.build.RewardsCheck;
import roll.config.build.RunBuilder;
import roll.config.build.SftBuilder;
import roll.config.schema.Section;

/** The checked keys of a configuration: values that depend on others are derived, and must fit. */
final class DerivedValues {
  /** Stages of derivation, in this order: each stage reads the values of those before it. */
  private static final List<LoadStage<DerivedValues>> STAGES =
      List.of(
          LoadStage.always(DerivedValues::switches),
          LoadStage.always(DerivedValues::systemVariables),
          LoadStage.of(Purpose.SFT, settling -> SftBuilder.settle(settling.run)),
          LoadStage.always(settling -> settling.folders.environments()),
          LoadStage.always(DerivedValues::defaults),
          LoadStage.of(Purpose.SFT, settling -> settling.layout().checkTraining()),
          LoadStage.of(Purpose.ROLLOUT, DerivedValues::fitRollout),
          LoadStage.of(Purpose.TRAINING, DerivedValues::fitTraining),
          LoadStage.always(settling -> settling.derived = settling.derive()),
          LoadStage.always(settling -> settling.draft.tellInTheirWords()),
          LoadStage.always(settling -> settling.folders.settle()));

  private final Purpose purpose;
  private final Path file;
  private final Draft draft;
  private final Section run;
  private final ConfigEnvironment host;
  private final Set<String> changed;
  private final PathResolver folders;
  private final BatchSizeCheck fit;
  private Map<String, Long> derived = Map.of();

  /**
   * Settles {@code run}, the keys of {@code draft}.
   *
   * @param changed keys whose value is not their default
   */
  DerivedValues(
      Purpose purpose,
      Path file,
      Draft draft,
      Section run,
      ConfigEnvironment host,
      Set<String> changed) {
    this.purpose = purpose;
    this.file = file;
    this.draft = draft;
    this.run = run;
    this.host = host;
    this.changed = changed;
    Path beside = Objects.requireNonNullElse(file.getParent(), Path.of(""));
    folders = new PathResolver(run, beside, purpose == Purpose.ROLLOUT);
    fit = new BatchSizeCheck(run);
  }

  /** Derives and checks all values of the configuration. */
  void perform() {
    LoadStage.perform(STAGES, purpose, this);
  }

  private void switches() {
    new IneffectiveKeys(run, changed, draft.notices()).check();
  }

  private void systemVariables() {
    new SystemVariables(run, host.variables()).settle(draft.notices(), draft.unneeded());
  }

  private void defaults() {
    new DependentDefaults(run, host.dataSets(), host.devices(), draft.notices())
        .settle(Objects.requireNonNull(file.getFileName()).toString(), purpose != Purpose.SFT);
  }

  private DeviceLayoutCheck layout() {
    return new DeviceLayoutCheck(run, host.devices());
  }

  private void fitRollout() {
    if (RunBuilder.AUTO.equals(run.value("resume_from_checkpoint"))) {
      run.settle("resume_from_checkpoint", false); // a rollout has no checkpoints
    }
    fit.checkManagers();
  }

  private void fitTraining() {
    layout().check();
    fit.check();
    RewardsCheck.check(run);
    Optional.ofNullable(fit.notice()).ifPresent(draft.notices()::add);
  }

  /** Numbers that follow from the configuration. */
  Map<String, Long> derived() {
    return derived;
  }

  private Map<String, Long> derive() {
    Map<String, Long> derived = purpose == Purpose.SFT ? fit.derivedOfSft() : fit.derived();
    if (draft.isTranslated()) {
      derived.putAll(fit.derivedOfDevices());
    }
    return derived;
  }

  /** Returns the number of optimizer steps of the run. */
  int totalUpdates() {
    long updates = purpose == Purpose.SFT ? run.integer("max_steps") : fit.totalUpdates();
    if (updates > Integer.MAX_VALUE) {
      throw new UserException(
          run.where("max_steps")
              + ": expected at most "
              + Integer.MAX_VALUE
              + " optimizer steps, found '"
              + updates
              + "'");
    }
    return (int) updates;
  }
}
