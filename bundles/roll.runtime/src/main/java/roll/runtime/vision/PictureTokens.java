package roll.runtime.vision;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import roll.api.data.Message;
import roll.api.data.Message.InlinePicture;
import roll.api.data.Message.Part;
import roll.api.image.ImageSize;
import roll.api.image.Picture;
import roll.api.image.VisionTokens;
import roll.api.model.Tokenizer;
import roll.api.option.UserException;

/**
 * Converts a conversation with pictures to tokens: a chat template writes one image token for each
 * picture, which is replaced by one token per patch of the picture, as in the processors of
 * transformers (models/qwen2_5_vl/processing_qwen2_5_vl.py). The names of such tokens inside a
 * message's text remain text.
 */
public final class PictureTokens {
  /** A character for private use, which no word of a token has. */
  private static final String GUARD = "\uE001";

  private final VisionTokens vision;
  private final Tokenizer tokenizer;
  private final @Nullable Pattern words;
  private final @Nullable Pattern guarded;

  /** Creates the conversion for the model with these vision tokens. */
  public PictureTokens(VisionTokens vision, Tokenizer tokenizer) {
    this.vision = vision;
    this.tokenizer = tokenizer;
    if (vision.image() >= tokenizer.size()) {
      throw new UserException(
          "%s: image_token_id: %d is no token, there are %d"
              .formatted(tokenizer.folder(), vision.image(), tokenizer.size()));
    }
    List<String> reserved =
        vision.reserved().stream()
            .sorted()
            .map(this::word)
            .filter(word -> word.length() > 1)
            .toList();
    this.words = any(reserved);
    this.guarded = any(reserved.stream().map(PictureTokens::guard).toList());
  }

  /** Returns the error that the text-only model of {@code folder} is shown a picture. */
  public static UserException blind(Path folder) {
    return new UserException(
        folder
            + ": a picture for a model that cannot see (one that can has a vision_config in its"
            + " config.json, and a preprocessor_config.json)");
  }

  private static @Nullable Pattern any(List<String> texts) {
    return texts.isEmpty()
        ? null
        : Pattern.compile(texts.stream().map(Pattern::quote).collect(Collectors.joining("|")));
  }

  private static String guard(String word) {
    return word.charAt(0) + GUARD + word.substring(1);
  }

  private String word(int token) {
    return token < 0 || token >= tokenizer.size() ? "" : tokenizer.decode(new int[] {token}, true);
  }

  /** Returns the text that a template writes for a picture. */
  public String place() {
    return word(vision.begin()) + word(vision.image()) + word(vision.end());
  }

  /** Id of the image token. */
  public int imageToken() {
    return vision.image();
  }

  /** The size in which the model sees a picture of this size, whose shape it takes. */
  public ImageSize seen(ImageSize picture) {
    return vision.processor().seen("the picture", picture.width(), picture.height());
  }

  /**
   * Checks an external picture: throws if it is broken, too large, or of a shape that the model
   * does not take.
   *
   * @param where source of the picture, for the message
   */
  public void check(String where, Picture picture) {
    vision.processor().check(where, picture);
  }

  /** Returns {@code text} with a mark in words that would become image tokens. */
  public String guarded(String text) {
    return words == null ? text : words.matcher(text).replaceAll(PictureTokens::replacement);
  }

  private static String replacement(MatchResult found) {
    return Matcher.quoteReplacement(guard(found.group()));
  }

  /** Returns {@code message} with image tokens in its text escaped. */
  public Message guarded(Message message) {
    StringBuilder text = new StringBuilder();
    List<InlinePicture> pictures = new ArrayList<>();
    for (Part part : message.parts()) {
      switch (part) {
        case Part.Text written -> text.append(guarded(written.text()));
        case Part.Shown shown -> pictures.add(new InlinePicture(text.length(), shown.picture()));
      }
    }
    return new Message(message.role(), text.toString(), message.tool(), pictures);
  }

  /**
   * Splits a rendered text at the image marks; the pieces are tokenized one by one. Returns at
   * least one piece.
   */
  public List<String> pieces(String rendered) {
    List<String> pieces = new ArrayList<>();
    int from = 0;
    if (guarded != null && rendered.contains(GUARD)) {
      Matcher found = guarded.matcher(rendered);
      while (found.find()) {
        pieces.add(rendered.substring(from, found.start() + 1));
        from = found.start() + 1 + GUARD.length();
      }
    }
    pieces.add(rendered.substring(from));
    return pieces;
  }

  /**
   * Returns {@code tokens} with each image placeholder expanded to the number of image tokens of
   * its picture.
   *
   * @throws UserException if there are more or fewer than pictures, two side by side, or if a
   *     picture is refused
   */
  public int[] expand(int[] tokens, List<Picture> pictures) {
    int places = (int) Arrays.stream(tokens).filter(token -> token == vision.image()).count();
    if (places != pictures.size()) {
      throw new UserException(
          places == 0
              ? "the chat template has no place for pictures (%d of them)"
                  .formatted(pictures.size())
              : "the chat template has %d places for %d pictures"
                  .formatted(places, pictures.size()));
    }
    if (places == 0) {
      return tokens;
    }
    int[] counts = new int[places];
    for (int i = 0; i < places; i++) {
      counts[i] =
          vision.processor().tokens("picture %d of the prompt".formatted(i + 1), pictures.get(i));
    }
    int[] expanded =
        new int
            [Math.addExact(
                tokens.length - places, Arrays.stream(counts).reduce(0, Math::addExact))];
    int at = 0;
    int picture = 0;
    for (int i = 0; i < tokens.length; i++) {
      if (tokens[i] != vision.image()) {
        expanded[at++] = tokens[i];
        continue;
      }
      if (i > 0 && tokens[i - 1] == vision.image()) {
        throw new UserException(
            "the chat template sets pictures %d and %d side by side, without a token between them"
                .formatted(picture, picture + 1));
      }
      Arrays.fill(expanded, at, at + counts[picture], vision.image());
      at += counts[picture++];
    }
    return expanded;
  }
}
