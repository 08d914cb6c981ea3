package roll.core.sft;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import roll.api.dataset.DataSetReader;
import roll.api.dataset.Row;
import roll.api.option.UserException;
import roll.runtime.config.SftConfig;
import roll.text.chat.RowMessages;

/** Reads demonstrations: conversations, prompts with responses, and episodes of rollouts. */
final class Demonstrations {
  private final DataSetReader sets;
  private final SftConfig sft;
  private final int most;
  private final ChatDemonstrations chats;
  private final EpisodeDemonstrations episodes;
  private final List<String> notices = new ArrayList<>();

  /**
   * Creates the reader of the demonstrations of {@code sft}.
   *
   * @param most maximum number of tokens per demonstration
   */
  Demonstrations(
      DataSetReader sets,
      SftConfig sft,
      int most,
      ChatDemonstrations chats,
      EpisodeDemonstrations episodes) {
    this.sets = sets;
    this.sft = sft;
    this.most = most;
    this.chats = chats;
    this.episodes = episodes;
  }

  /**
   * Reads the demonstrations in {@code files}, with a notice on their number.
   *
   * @param key that names the files
   * @throws UserException naming file and line of what cannot be learned, or if there is nothing
   */
  List<Demonstration> read(String key, List<Path> files) {
    List<Demonstration> kept = new ArrayList<>();
    int rows = 0;
    int cut = 0;
    int left = 0;
    for (Row row : sets.read(files)) {
      rows++;
      for (Demonstration whole : of(row)) {
        boolean fits = whole.tokens().length <= most;
        Demonstration fitting = fits ? whole : fitted(whole);
        cut += fits ? 0 : 1;

        if (fitting.learned() > 0) {
          kept.add(fitting);
        } else {
          left++;
        }
      }
    }
    if (kept.isEmpty() && !files.isEmpty()) {
      throw new UserException("sft.%s: no demonstration in %d rows".formatted(key, rows));
    }
    notices.add(told(key, rows, kept));
    if (cut > 0) {
      notices.add(
          "sft.%s: %d demonstrations are longer than sequence_length = %d (truncation %s), %d have nothing left to learn"
              .formatted(key, cut, most, word(), left));
    }
    return List.copyOf(kept);
  }

  private static String told(String key, int rows, List<Demonstration> kept) {
    long tokens = kept.stream().mapToLong(one -> one.tokens().length).sum();
    long learned = kept.stream().mapToLong(Demonstration::learned).sum();
    return "sft.%s: %d demonstrations from %d rows, %d tokens, %d of them learned"
        .formatted(key, kept.size(), rows, tokens, learned);
  }

  /** Returns notices on the demonstrations that were read. */
  List<String> notices() {
    return List.copyOf(notices);
  }

  private Demonstration fitted(Demonstration whole) {
    return switch (sft.truncation()) {
      case ERROR ->
          throw new UserException(
              "%s: %d tokens, and sequence_length is %d (sft.truncation: left, right, middle or drop)"
                  .formatted(whole.where(), whole.tokens().length, most));
      case DROP -> new Demonstration(whole.where(), new int[0], new boolean[0]);
      case LEFT, RIGHT, MIDDLE -> whole.cut(most, sft.truncation());
    };
  }

  private String word() {
    return sft.truncation().name().toLowerCase(Locale.ROOT);
  }

  private List<Demonstration> of(Row row) {
    if (EpisodeDemonstrations.is(row)) {
      return episodes.of(row);
    }
    ChatRow chat = ChatRow.of(row, sft);
    Object tools = RowMessages.tools(row.where() + ": tools", row.fields().get("tools"));
    return chats.of(row, chat.messages(), chat.first(), tools);
  }
}
