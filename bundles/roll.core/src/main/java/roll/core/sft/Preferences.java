package roll.core.sft;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import roll.api.data.Trajectory;
import roll.api.dataset.DataSetReader;
import roll.api.dataset.Row;
import roll.api.option.UserException;
import roll.api.preference.PreferenceInfo.Need;
import roll.runtime.config.PreferenceConfig;
import roll.runtime.config.SftConfig;
import roll.runtime.config.SftConfig.Truncation;
import roll.text.chat.RowMessages;

/** Reads preferences: pairs, answers with labels, and episodes of rollouts. */
final class Preferences {
  private final DataSetReader sets;
  private final SftConfig config;
  private final int length;
  private final int most;
  private final boolean paired;
  private final boolean scores;
  private final ChatDemonstrations chats;
  private final EpisodeDemonstrations episodes;
  private final List<String> notices = new ArrayList<>();

  /**
   * Creates the reader of the preferences of {@code config}.
   *
   * @param length maximum number of tokens of an answer with its prompt
   * @param needs of the objective: without pairs the answers of pairs are single ones, with scores
   *     they are whole conversations
   */
  Preferences(
      DataSetReader sets,
      SftConfig config,
      int length,
      Set<Need> needs,
      ChatDemonstrations chats,
      EpisodeDemonstrations episodes) {
    this.sets = sets;
    this.config = config;
    this.scores = needs.contains(Need.SCORES);
    this.length = length;
    this.most = scores ? length - 1 : length; // for the token that Demonstration.scored adds
    this.paired = needs.contains(Need.PAIRS);
    this.chats = chats;
    this.episodes = episodes;
  }

  /** Returns notices on the preferences that were read. */
  List<String> notices() {
    return List.copyOf(notices);
  }

  /**
   * Reads the preferences in {@code files}, with a notice on their number and on rows left out.
   *
   * @param key that names the files
   * @throws UserException naming what is wrong, or if nothing remains
   */
  List<Preference> read(String key, List<Path> files) {
    LeftOut left = new LeftOut();
    EpisodePairs played = new EpisodePairs(scores ? this::conversation : episodes::of);
    List<Preference> found = new ArrayList<>();
    int rows = 0;
    for (Row row : sets.read(files)) {
      rows++;
      if (EpisodeDemonstrations.is(row)) {
        played.add(row);
      } else {
        add(row, found, left);
      }
    }
    found.addAll(played.pairs(left));
    found.forEach(this::checkPictures);
    List<Preference> kept = new ArrayList<>();
    for (Preference one : found) {
      Preference fitting = fitted(one, left);
      if (fitting != null) {
        kept.add(fitting);
      }
    }
    String what = paired ? "pairs" : "answers";
    List<Preference> all = paired ? kept : kept.stream().flatMap(Preference::singles).toList();
    if (all.isEmpty() && !files.isEmpty()) {
      throw new UserException(
          "preference.%s: no %s in %d rows; left out: %s".formatted(key, what, rows, left));
    }
    notices.add(
        "preference.%s: %d %s from %d rows%s"
            .formatted(key, all.size(), what, rows, left.isEmpty() ? "" : "; left out: " + left));
    return List.copyOf(all);
  }

  private void add(Row row, List<Preference> found, LeftOut left) {
    PreferenceRow read = PreferenceRow.of(row, config);
    if (read == null || (paired && read.answers().size() == 1)) {
      left.add(missing(row), row.where());
      return;
    }
    if (read.answers().stream().anyMatch(Preferences::isEmpty)) {
      left.add("with an empty answer", row.where());
      return;
    }
    if (read.answers().getFirst().equals(read.answers().getLast()) && read.answers().size() == 2) {
      left.add("with equal answers", row.where());
      return;
    }
    List<Demonstration> answers = new ArrayList<>();
    Object tools = RowMessages.tools(row.where() + ": tools", row.fields().get("tools"));
    for (List<Map<String, @Nullable Object>> answer : read.answers()) {
      List<Map<String, @Nullable Object>> messages = new ArrayList<>(read.prompt());
      messages.addAll(answer);
      answers.addAll(
          scores
              ? List.of(chats.whole(row, messages, tools))
              : chats.of(row, messages, read.prompt().size(), tools));
    }
    if (answers.size() != read.answers().size()) {
      left.add("with an answer of turns that the template renders apart", row.where());
      return;
    }
    Demonstration rejected = answers.size() == 1 ? null : answers.getLast();
    found.add(new Preference(answers.getFirst(), rejected, read.desirable(), read.margin()));
  }

  /** Returns the conversation of an episode up to its answer, as the reward {@code model} does. */
  private List<Demonstration> conversation(Row row) {
    Object said = row.fields().get("messages");
    if (said == null) {
      throw new UserException(row.where() + ": 'messages' is missing, which a reward model reads");
    }
    List<Map<String, @Nullable Object>> messages = RowMessages.of(row.where(), said, null);
    boolean tool = Trajectory.TERMINAL.equals(row.fields().get("finish"));
    int end = messages.size();
    while (end > 0 && !answers(messages.get(end - 1), tool)) {
      end--;
    }
    return end == 0 ? List.of() : List.of(chats.whole(row, messages.subList(0, end), null));
  }

  private static boolean answers(Map<String, @Nullable Object> message, boolean tool) {
    return "assistant".equals(message.get("role")) || (tool && "tool".equals(message.get("role")));
  }

  /** Only answers with labels are scored with other prompts, among which pictures have no place. */
  private void checkPictures(Preference one) {
    if (!paired && !one.answer().pictures().isEmpty()) {
      throw new UserException(
          one.answer().where() + ": episodes with pictures are trained on as pairs, not by labels");
    }
  }

  /** The reason for a row without the fields of a preference; it has those of the first such. */
  private String missing(Row row) {
    PreferenceConfig keys = Objects.requireNonNull(config.preference(), "preference");
    return "without '%s', '%s' and '%s'%s, with %s"
        .formatted(
            config.promptKey(),
            keys.chosenKey(),
            keys.rejectedKey(),
            paired ? "" : ", or '%s' and '%s'".formatted(config.responseKey(), keys.labelKey()),
            String.join(", ", row.fields().keySet()));
  }

  private static boolean isEmpty(List<Map<String, @Nullable Object>> answer) {
    return answer.stream()
        .noneMatch(
            message ->
                message.containsKey("tool_calls")
                    || (message.get("content") instanceof String text && !text.isBlank()));
  }

  private @Nullable Preference fitted(Preference whole, LeftOut left) {
    Demonstration answer = fitted(whole.answer());
    Demonstration rejected = whole.rejected() == null ? null : fitted(whole.rejected());
    boolean equal = rejected != null && Arrays.equals(answer.tokens(), rejected.tokens());
    boolean some = answer.learned() > 0 && (rejected == null || rejected.learned() > 0);
    if (some && !equal) {
      return scores
          ? new Preference(
              answer.scored(),
              rejected == null ? null : rejected.scored(),
              whole.desirable(),
              whole.margin())
          : new Preference(answer, rejected, whole.desirable(), whole.margin());
    }
    boolean tooLong =
        whole.answer().tokens().length > most
            || (whole.rejected() != null && whole.rejected().tokens().length > most);
    left.add(
        tooLong
            ? "longer than sequence_length = %d (preference.truncation: %s)"
                .formatted(length, config.truncation().name().toLowerCase(Locale.ROOT))
            : equal ? "with equal answers" : "with an empty answer",
        whole.answer().where());
    return null;
  }

  private Demonstration fitted(Demonstration whole) {
    if (whole.tokens().length <= most) {
      return whole;
    }
    if (config.truncation() == Truncation.ERROR) {
      throw new UserException(
          "%s: %d tokens, and sequence_length is %d (preference.truncation: drop, left, right or middle)"
              .formatted(whole.where(), whole.tokens().length, length));
    }
    return config.truncation() == Truncation.DROP
        ? new Demonstration(whole.where(), new int[0], new boolean[0])
        : whole.cut(most, config.truncation());
  }
}
