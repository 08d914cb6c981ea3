package roll.config.trl;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.config.dialect.TranslatedKeys;
import roll.config.dialect.Translation.How;
import roll.config.tree.YamlTree;
import roll.runtime.dialect.ConfigDraft;
import roll.text.Suggestion;

/**
 * Files of the commands {@code trl grpo}, {@code rloo}, {@code sft}, {@code dpo}, {@code kto} and
 * {@code reward}: keys at the top, of the command's script, trainer and model.
 */
public final class TrlFile {
  private static final String VERSION = "1.13";
  private static final String COMMAND = "trl";

  /** One of these is in every file of TRL's. */
  private static final List<String> MARKS = List.of(COMMAND, "model_name_or_path", "dataset_name");

  /** With one of these a file is ours, ROLL's or verl's, whatever else is in it. */
  private static final Set<String> OTHERS =
      Set.of(
          "pretrain",
          "actor_train",
          "actor_infer",
          "train_env_manager",
          "sft",
          "preference",
          "data",
          "actor_rollout_ref",
          "algorithm",
          "trainer",
          "agent");

  private TrlFile() {}

  /**
   * Returns the trainer whose file {@code tree} is, or null if it is no file of TRL's: named by the
   * key {@code trl}, otherwise the only one that has all the keys.
   *
   * @param origins file and line of a key
   * @throws UserException if the keys are of several trainers, or of none
   */
  public static @Nullable TrlTrainer trainer(
      Map<String, ?> tree, Function<String, String> origins) {
    boolean other = tree.keySet().stream().anyMatch(OTHERS::contains);
    String mark = MARKS.stream().filter(tree::containsKey).findFirst().orElse("");
    if (mark.isEmpty() || (other && !mark.equals(COMMAND))) {
      return null;
    }
    Object named = tree.get(COMMAND);
    if (named == null) {
      return byKeys(tree, origins.apply(mark) + ": " + mark);
    }
    String word = String.valueOf(named);
    if (!TrlTrainer.words().contains(word)) {
      throw new UserException(
          "%s: %s: expected one of %s, found %s%s"
              .formatted(
                  origins.apply(COMMAND),
                  COMMAND,
                  String.join(", ", TrlTrainer.words()),
                  YamlTree.shown(named),
                  Suggestion.near(word, TrlTrainer.words())));
    }
    return TrlTrainer.valueOf(word.toUpperCase(Locale.ROOT));
  }

  private static TrlTrainer byKeys(Map<String, ?> tree, String where) {
    TrlTable table = new TrlTable();
    Set<TrlTrainer> fitting = EnumSet.allOf(TrlTrainer.class);
    List<String> telling = new ArrayList<>();
    for (String key : tree.keySet()) {
      Set<TrlTrainer> having = table.trainers(key);
      if (!having.isEmpty() && !having.containsAll(fitting)) {
        fitting.retainAll(having);
        telling.add(key);
      }
    }
    if (fitting.size() == 1) {
      return fitting.iterator().next();
    }
    String all = fitting.stream().map(TrlTrainer::word).collect(Collectors.joining(", "));
    throw new UserException(
        fitting.isEmpty()
            ? "%s: no command of TRL's has all of the keys %s; say whose file it is (trl=%s)"
                .formatted(where, String.join(", ", telling), String.join("|", TrlTrainer.words()))
            : "%s is of a file of TRL's, but the keys are those of trl %s alike; say which (%s)"
                .formatted(
                    where,
                    all,
                    fitting.stream()
                        .map(trainer -> "trl=" + trainer.word())
                        .collect(Collectors.joining(" or "))));
  }

  /**
   * Replaces the keys of {@code draft}, a file of {@code trainer}, by ours.
   *
   * @param beside folder of the file
   * @return replaces our keys in a message by those that were written
   * @throws UserException naming the first key that is unknown, wrong or not supported
   */
  public static UnaryOperator<String> translate(
      ConfigDraft draft, TrlTrainer trainer, Path beside) {
    draft.notice(
        "a file of trl %s (TRL %s): ./roll %s runs it"
            .formatted(trainer.word(), VERSION, trainer.command()));
    TrlOptions options = new TrlOptions(trainer, draft);
    TranslatedKeys ours = new TranslatedKeys(draft, options);
    TrlDataFiles files = new TrlDataFiles(options, beside);
    new TrlModel(options, ours).put();
    TrlRun run = new TrlRun(options, ours);
    if (trainer.plays()) {
      int updates = run.putRollouts();
      new TrlEpisodes(options, ours, files).put();
      new TrlPolicy(options, ours, updates).put();
    } else {
      run.putSupervised();
      new TrlSupervised(options, ours, files).put();
    }
    options.keys().stream()
        .filter(key -> key.how() == How.COPIED)
        .forEach(key -> ours.copy(key.ours(), key.name()));
    return ours::inTheirWords;
  }
}
