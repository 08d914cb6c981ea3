package roll.core.sft;

import com.google.gson.JsonParseException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.dataset.Row;
import roll.api.image.Picture;
import roll.api.model.Tokenizer;
import roll.api.option.UserException;
import roll.core.trajectory.PictureFiles;
import roll.core.trajectory.TokenTexts;

/**
 * Demonstrations from episodes in files of a rollout: the model learns the player's responses.
 * Their tokens are taken as they are; that they are those of the model's tokenizer is seen from
 * their texts.
 */
final class EpisodeDemonstrations {
  private final TokenTexts texts;
  private final Map<Path, PictureFiles> beside = new HashMap<>();
  private final int size;
  private final @Nullable Double minScore;

  /**
   * Creates the reader for the model of {@code tokenizer}.
   *
   * @param minScore episodes with a lower score are left out, or null for none
   */
  EpisodeDemonstrations(Tokenizer tokenizer, @Nullable Double minScore) {
    this.texts = new TokenTexts(tokenizer);
    this.size = tokenizer.size();
    this.minScore = minScore;
  }

  /** Whether {@code row} is a recorded episode. */
  static boolean is(Row row) {
    return row.fields().get("sequences") instanceof List<?> && row.fields().containsKey("rewards");
  }

  /**
   * Returns the sequences of the episode {@code row}; none if its score is too low.
   *
   * @throws UserException if something is missing, or another tokenizer's
   */
  List<Demonstration> of(Row row) {
    if (minScore != null) {
      if (!(row.fields().get("score") instanceof Number score)) {
        throw new UserException(row.where() + ": 'score' is missing, and min_score is given");
      }
      if (score.doubleValue() < minScore) {
        return List.of();
      }
    }
    List<Demonstration> all = new ArrayList<>();
    for (Object sequence : list(row, row.fields().get("sequences"), "sequences")) {
      if (!(sequence instanceof Map<?, ?> fields)) {
        throw new UserException(row.where() + ": a sequence is a mapping");
      }
      Demonstration one = sequence(row, fields);
      if (one.learned() > 0) {
        all.add(one);
      }
    }
    return all;
  }

  private Demonstration sequence(Row row, Map<?, ?> fields) {
    int[] tokens = numbers(row, fields.get("tokens"), "tokens");
    int[] turns = numbers(row, fields.get("turns"), "turns");
    List<?> written = list(row, fields.get("texts"), "texts");
    if (turns.length != tokens.length || written.size() != tokens.length) {
      throw new UserException(row.where() + ": tokens, turns and texts are not as many");
    }
    boolean[] trained = new boolean[tokens.length];
    for (int i = 0; i < tokens.length; i++) {
      trained[i] = turns[i] >= 0;
      if (tokens[i] < 0 || tokens[i] >= size) {
        throw foreign(row, tokens[i], written.get(i), "unknown");
      }
    }
    List<String> ours = texts.of(tokens);
    for (int i = 0; i < tokens.length; i++) {
      if (!ours.get(i).equals(written.get(i))) {
        throw foreign(row, tokens[i], written.get(i), "'" + ours.get(i) + "'");
      }
    }
    return new Demonstration(row.where(), tokens, trained, pictures(row, fields));
  }

  private List<Picture> pictures(Row row, Map<?, ?> fields) {
    Object named = fields.get("pictures");
    if (named == null) {
      return List.of();
    }
    PictureFiles files =
        beside.computeIfAbsent(row.file().toAbsolutePath().resolveSibling(""), PictureFiles::new);
    try {
      return list(row, named, "pictures").stream()
          .map(name -> files.read(String.valueOf(name)))
          .toList();
    } catch (JsonParseException e) {
      throw new UserException(row.where() + ": " + e.getMessage(), e);
    }
  }

  private static UserException foreign(Row row, int token, Object there, String here) {
    return new UserException(
        "%s: the rollout was written with another tokenizer: token %d is '%s' there and %s here (roll:rollout with the same pretrain)"
            .formatted(row.where(), token, there, here));
  }

  private static int[] numbers(Row row, @Nullable Object value, String name) {
    List<?> list = list(row, value, name);
    int[] numbers = new int[list.size()];
    for (int i = 0; i < numbers.length; i++) {
      if (!(list.get(i) instanceof Long number) || number.intValue() != number) {
        throw new UserException(row.where() + ": '" + name + "' has something else than numbers");
      }
      numbers[i] = number.intValue();
    }
    return numbers;
  }

  private static List<?> list(Row row, @Nullable Object value, String name) {
    if (value instanceof List<?> list) {
      return list;
    }
    throw new UserException(row.where() + ": '" + name + "' is missing or no list");
  }
}
