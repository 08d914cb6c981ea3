package roll.config;

import java.nio.file.Path;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.config.LoadStage.Purpose;
import roll.config.build.SftBuilder;
import roll.config.schema.Checker;
import roll.config.schema.Schema;
import roll.config.schema.Section;
import roll.config.tree.Composition;
import roll.config.tree.Interpolation;
import roll.config.tree.KeyOrigins;
import roll.config.tree.Resolvers;
import roll.config.trl.TrlFile;
import roll.config.trl.TrlTrainer;
import roll.config.verl.VerlSft;
import roll.runtime.dialect.ConfigDialect;
import roll.runtime.dialect.ConfigDraft;

/** A configuration while it is loaded, from composed files to checked keys; used once. */
final class Draft {
  /**
   * Stages of loading, in this order: keys that dialects and defaults add are checked like those of
   * the file.
   */
  private static final List<LoadStage<Draft>> STAGES =
      List.of(
          LoadStage.of(Purpose.TRAINING, draft -> draft.checkPipeline(Purpose.TRAINING)),
          LoadStage.of(Purpose.ROLLOUT, draft -> draft.checkPipeline(Purpose.ROLLOUT)),
          LoadStage.of(Purpose.SFT, draft -> draft.checkPipeline(Purpose.SFT)),
          LoadStage.of(Purpose.SFT, Draft::refuseVerl),
          LoadStage.always(Draft::resolve),
          LoadStage.always(Draft::translate),
          LoadStage.of(Purpose.ROLLOUT, draft -> ImpliedKeys.withoutModel(draft.tree)),
          LoadStage.of(Purpose.SFT, draft -> ImpliedKeys.sampling(draft.tree)),
          LoadStage.always(
              draft -> ImpliedKeys.partialRollout(draft.tree, draft.origins, draft.notices)),
          LoadStage.of(
              Purpose.TRAINING, draft -> ImpliedKeys.correction(draft.tree, draft.notices)));

  private final List<ConfigDialect> dialects;
  private final Path beside;
  private final Function<String, @Nullable String> environment;
  private final KeyOrigins origins;
  private final Set<String> variables;
  private final Set<String> referenced = new LinkedHashSet<>();
  private final List<String> notices = new ArrayList<>();
  private final Set<String> unneeded = new LinkedHashSet<>();
  private Map<String, @Nullable Object> tree;
  private @Nullable UnaryOperator<String> words;

  /**
   * Creates the draft of {@code composition}.
   *
   * @param beside folder of the configuration file
   * @param environment variables of the process
   */
  Draft(
      Composition composition,
      Path beside,
      List<ConfigDialect> dialects,
      Function<String, @Nullable String> environment) {
    this.beside = beside;
    this.dialects = dialects;
    this.environment = environment;
    origins = composition.origins();
    tree = composition.tree();
    variables = new LinkedHashSet<>(composition.inherited());
  }

  private void checkPipeline(Purpose purpose) {
    RollPipelines.check(tree, origins, purpose);
    if (VerlSft.is(tree) && purpose != Purpose.SFT) {
      throw new UserException(
          "%s: options of verl's sft_trainer: ./roll sft runs them"
              .formatted(origins.of("model.path")));
    }
    TrlTrainer trainer = TrlFile.trainer(tree, origins::of);
    if (trainer != null && trainer.plays() != (purpose != Purpose.SFT)) {
      throw new UserException(
          "%s: a file of trl %s: ./roll %s runs it"
              .formatted(origins.of("trl"), trainer.word(), trainer.command()));
    }
  }

  private void refuseVerl() {
    if (!VerlSft.is(tree)) {
      SftBuilder.refuseVerl(tree, origins);
    }
  }

  private void resolve() {
    Interpolation interpolation =
        new Interpolation(
            tree, origins, new Resolvers(environment, ZonedDateTime.now(ZoneId.systemDefault())));
    tree = interpolation.resolve();
    referenced.addAll(interpolation.referenced());
  }

  private void translate() {
    ConfigDraft draft =
        new ConfigDraft(
            tree,
            origins::of,
            (path, from) -> origins.put(path, origins.of(from)),
            notices::add,
            environment);
    TrlTrainer trainer = TrlFile.trainer(tree, origins::of);
    if (trainer != null) {
      translated(TrlFile.translate(draft, trainer, beside));
    }
    for (ConfigDialect dialect : dialects) {
      UnaryOperator<String> told = dialect.translate(draft);
      if (told != null) {
        translated(told);
      }
    }
  }

  private void translated(UnaryOperator<String> told) {
    words = told;
    unneeded.addAll(Notices.ofOtherSystems(notices));
  }

  /** Returns the checked keys of a configuration that is loaded for {@code purpose}. */
  Section checked(Schema schema, Purpose purpose) {
    LoadStage.perform(STAGES, purpose, this);
    Set<String> sections = new LinkedHashSet<>();
    dialects.forEach(dialect -> sections.addAll(dialect.sections()));
    variables.addAll(referenced);
    Checker checker = new Checker(schema, sections, OtherNames::ours, origins, variables);
    Section run = checker.check(tree);
    List<String> idle = Notices.unused(checker.notices(), referenced);
    notices.addAll(idle);
    unneeded.addAll(idle);
    return run;
  }

  /** Notices for the user on the configuration; more may be added. */
  List<String> notices() {
    return notices;
  }

  /** The subset of {@link #notices} about unneeded keys; modifiable. */
  Set<String> unneeded() {
    return unneeded;
  }

  /** Whether the configuration is written with the keys of another system. */
  boolean isTranslated() {
    return words != null;
  }

  /** Makes messages name the keys as the user wrote them. */
  void tellInTheirWords() {
    UnaryOperator<String> told = words;
    if (told != null) {
      notices.replaceAll(told);
      Set<String> ours = Set.copyOf(unneeded);
      unneeded.clear();
      ours.forEach(line -> unneeded.add(told.apply(line)));
    }
  }
}
