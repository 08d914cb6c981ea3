package roll.browser.testkit;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A key for the DevTools Protocol.
 *
 * @param key its name in the UI Events KeyboardEvent key Values, such as {@code Enter}, {@code
 *     Tab}, {@code ArrowDown}, {@code Escape}, {@code a}
 * @param code its Windows virtual key code, which decides the browser's own action
 * @param text the typed text; empty for other keys
 * @param shift whether Shift is held
 */
record KeyStroke(String key, int code, String text, boolean shift) {
  private static final int SHIFT = 8;
  private static final String WITH_SHIFT = "Shift+";
  private static final Map<String, Integer> NAMED =
      Map.of(
          "Tab",
          9,
          "Enter",
          13,
          "Escape",
          27,
          "End",
          35,
          "Home",
          36,
          "ArrowLeft",
          37,
          "ArrowUp",
          38,
          "ArrowRight",
          39,
          "ArrowDown",
          40);

  /**
   * Returns a key by its name, a letter, a digit, {@code Space}, or {@code Shift+} before one of
   * them.
   *
   * @throws IllegalArgumentException if there is no such key
   */
  static KeyStroke of(String name) {
    boolean shift = name.startsWith(WITH_SHIFT);
    String key = shift ? name.substring(WITH_SHIFT.length()) : name;
    if (key.equals("Space")) {
      return new KeyStroke(" ", ' ', " ", shift);
    }
    if (key.length() == 1) {
      return new KeyStroke(key, Character.toUpperCase(key.charAt(0)), key, shift);
    }
    Integer code = NAMED.get(key);
    if (code == null) {
      throw new IllegalArgumentException(
          "no key " + name + "; named are " + List.copyOf(NAMED.keySet()));
    }
    return new KeyStroke(key, code, key.equals("Enter") ? "\r" : "", shift);
  }

  /** Returns the event of pressing the key. */
  Map<String, Object> down() {
    Map<String, Object> event = event(text.isEmpty() ? "rawKeyDown" : "keyDown");
    if (!text.isEmpty()) {
      event.put("text", text);
    }
    return event;
  }

  /** Returns the event of releasing the key. */
  Map<String, Object> up() {
    return event("keyUp");
  }

  private Map<String, Object> event(String type) {
    Map<String, Object> event = new HashMap<>();
    event.put("type", type);
    event.put("key", key);
    event.put("windowsVirtualKeyCode", code);
    event.put("modifiers", shift ? SHIFT : 0);
    return event;
  }
}
