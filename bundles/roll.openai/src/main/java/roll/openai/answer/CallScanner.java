package roll.openai.answer;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonPrimitive;
import com.google.gson.Strictness;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds calls in a text as it comes: a JSON object with name and arguments between {@code
 * <tool_call>} and {@code </tool_call>}, as Hermes and Qwen write them. What cannot be read so
 * stays text; white space beside a call belongs to it.
 */
final class CallScanner {
  private static final String OPEN = "<tool_call>";
  private static final String CLOSE = "</tool_call>";
  private static final Gson GSON =
      new GsonBuilder()
          .setStrictness(Strictness.STRICT)
          .disableHtmlEscaping()
          .serializeNulls()
          .create();

  private String held = "";
  private boolean behindCall;

  /** Takes a piece of text; gives the parts that are sure now. */
  List<Delta> add(String piece) {
    held += piece;
    List<Delta> parts = new ArrayList<>();
    boolean more = true;
    while (more) {
      more = block(parts);
    }
    int open = held.indexOf(OPEN);
    say(parts, stripped(open >= 0 ? open : held.length() - beginning()));
    return parts;
  }

  /** What was held back; to be asked once, at the end. */
  List<Delta> rest() {
    List<Delta> parts = new ArrayList<>();
    say(parts, held.length());
    return parts;
  }

  /** Takes the first whole block, and what precedes it; whether there was one. */
  private boolean block(List<Delta> parts) {
    int open = held.indexOf(OPEN);
    int close = open < 0 ? -1 : held.indexOf(CLOSE, open);
    if (close < 0) {
      return false;
    }
    int end = close + CLOSE.length();
    Delta.Call call = call(held.substring(open + OPEN.length(), close));
    if (call == null) {
      say(parts, end);
    } else {
      String behind = held.substring(end);
      say(parts, stripped(open));
      parts.add(call);
      held = behind;
      behindCall = true;
    }
    return true;
  }

  /** Moves the first {@code length} characters that are held to {@code parts}. */
  private void say(List<Delta> parts, int length) {
    String text = held.substring(0, length);
    held = held.substring(length);
    String said = behindCall ? text.stripLeading() : text;
    if (!said.isEmpty()) {
      parts.add(new Delta.Text(said));
      behindCall = false;
    }
  }

  /** Length of the first {@code length} characters that are held, less white space at the end. */
  private int stripped(int length) {
    return held.substring(0, length).stripTrailing().length();
  }

  /** Length of the longest end of what is held that the mark begins with. */
  private int beginning() {
    int length = Math.min(OPEN.length() - 1, held.length());
    while (!held.endsWith(OPEN.substring(0, length))) {
      length--;
    }
    return length;
  }

  /** The call that {@code text} is, or null. */
  private static Delta.@Nullable Call call(String text) {
    try {
      if (GSON.fromJson(text, JsonElement.class) instanceof JsonObject json
          && json.get("name") instanceof JsonPrimitive name
          && name.isString()
          && json.get("arguments") instanceof JsonObject arguments) {
        return new Delta.Call(name.getAsString(), GSON.toJson(arguments));
      }
    } catch (JsonParseException e) {
      // no call
    }
    return null;
  }
}
