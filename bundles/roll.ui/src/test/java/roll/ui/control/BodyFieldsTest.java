package roll.ui.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static roll.testkit.UserErrors.userError;

import com.google.gson.JsonObject;
import org.junit.jupiter.api.Test;

/** Bodies of orders. */
class BodyFieldsTest {
  private static BodyFields note(String text) {
    JsonObject json = new JsonObject();
    json.addProperty("note", text);
    return new BodyFields(json);
  }

  @Test
  void halfACharacterIsNoText() {
    assertEquals("\ud83d\ude00", note("\ud83d\ude00").textUpTo("note", 10));
    assertEquals(
        "the field 'note' must be a text in UTF-8",
        userError(() -> note("a\ud83d").textUpTo("note", 10)));
    assertEquals(
        "the field 'note' must be a text of at most 10 characters",
        userError(() -> note("x".repeat(11)).textUpTo("note", 10)));
  }
}
