package roll.openai.request;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/**
 * The content of a message: a text, or the texts of several parts joined by line breaks; a list of
 * parts in the form of chat templates if one is a picture.
 */
public final class MessageContent {
  private final RequestPictures pictures;
  private final StringJoiner texts = new StringJoiner("\n");
  private final List<Map<String, String>> parts = new ArrayList<>();
  private boolean seen;

  MessageContent(RequestPictures pictures) {
    this.pictures = pictures;
  }

  /** Adds a text. */
  public MessageContent text(String text) {
    String guarded = pictures.guarded(text);
    texts.add(guarded);
    parts.add(Map.of("type", "text", "text", guarded));
    return this;
  }

  /**
   * Checks that the part {@code where} may be a picture.
   *
   * @throws ApiException if the model has no vision tower, or there are too many pictures
   */
  public void expectPicture(String where) {
    pictures.expect(where);
  }

  /**
   * Adds the picture at {@code url}, which may be a data URL.
   *
   * @throws ApiException if it is refused
   */
  public void picture(String where, String url) throws InterruptedException {
    pictures.add(where, url);
    parts.add(Map.of("type", "image"));
    seen = true;
  }

  /** Returns whether nothing was added. */
  public boolean isEmpty() {
    return parts.isEmpty();
  }

  /** Returns whether there is a picture. */
  public boolean hasPicture() {
    return seen;
  }

  /** Returns the content in the form of chat templates. */
  Object value() {
    return seen ? List.copyOf(parts) : texts.toString();
  }
}
