package roll.browser.testkit;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import roll.browser.BrowserException;
import roll.browser.BrowserTab;

/**
 * A page in a browser: clicks go to visible, uncovered elements, keys to the focus, and errors of
 * the page are collected.
 */
public final class OpenPage implements AutoCloseable {
  private static final Gson GSON = new Gson();
  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final Duration PAUSE = Duration.ofMillis(40);

  private final BrowserTab tab;
  private final String context;
  private final PageErrors complaints = new PageErrors();

  OpenPage(BrowserTab tab, String context) {
    this.tab = tab;
    this.context = context;
    tab.listen(complaints::handle);
    tab.call("Runtime.enable", Map.of());
    tab.call("Log.enable", Map.of());
    tab.call("Network.enable", Map.of());
    tab.call("Page.enable", Map.of());
    // like the tab in front: painted, with timers at full speed
    tab.call("Emulation.setFocusEmulationEnabled", Map.of("enabled", true));
  }

  String context() {
    return context;
  }

  /** Opens {@code url} and waits until it is loaded. */
  public void go(String url) {
    JsonObject answer = tab.call("Page.navigate", Map.of("url", url));
    if (answer.has("errorText")) {
      throw new BrowserException(url + ": " + answer.get("errorText").getAsString());
    }
    await("document.readyState === 'complete'");
  }

  /** Reloads the page in the browser. */
  public void reload() {
    tab.evaluate("window.before = true");
    tab.call("Page.reload", Map.of());
    await("window.before === undefined && document.readyState === 'complete'");
  }

  /** Returns the value of a JavaScript expression, of a promise after it is settled. */
  public JsonElement evaluate(String expression) {
    return tab.evaluate(expression);
  }

  /** Returns the visible text of the first element of {@code selector}; empty without one. */
  public String text(String selector) {
    String element = "document.querySelector(" + GSON.toJson(selector) + ")";
    return evaluate(element + "?.innerText ?? ''").getAsString();
  }

  /** Waits until the page contains {@code text}. */
  public void awaitText(String text) {
    await("document.body.innerText.includes(" + GSON.toJson(text) + ")");
  }

  /**
   * Waits until a JavaScript expression is true.
   *
   * @throws AssertionError after 20 s, with the text of the page
   */
  public void await(String condition) {
    await(condition, LIMIT);
  }

  /** Like {@link #await(String)}, with another limit. */
  public void await(String condition, Duration limit) {
    long end = System.nanoTime() + limit.toNanos();
    String last = "";
    while (System.nanoTime() < end) {
      try {
        if (evaluate("!!(" + condition + ")").getAsBoolean()) {
          return;
        }
      } catch (BrowserException e) {
        last = " (" + e.getMessage() + ")"; // there is no document during navigation
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
    throw new AssertionError(
        "not within %d s: %s%s%nthe page shows:%n%s%nand complains: %s"
            .formatted(limit.toSeconds(), condition, last, text("body"), complaints.all()));
  }

  /** Clicks the first visible element of {@code selector}. */
  public void click(String selector) {
    click(selector, "");
  }

  /**
   * Clicks the first visible element of {@code selector} with {@code name} in its label or text, as
   * soon as it exists.
   */
  public void click(String selector, String name) {
    click(selector, name, LIMIT);
  }

  /** Like {@link #click(String, String)}, with another limit. */
  void click(String selector, String name, Duration limit) {
    String place = place(GSON.toJson(selector), GSON.toJson(name));
    await("(" + place.strip() + ").why === undefined", limit);
    JsonObject at = evaluate(place).getAsJsonObject();
    if (at.has("why")) {
      throw new AssertionError(selector + " '" + name + "' " + at.get("why").getAsString());
    }
    for (String event : List.of("mouseMoved", "mousePressed", "mouseReleased")) {
      tab.call(
          "Input.dispatchMouseEvent",
          Map.of(
              "type",
              event,
              "x",
              at.get("x"),
              "y",
              at.get("y"),
              "button",
              event.equals("mouseMoved") ? "none" : "left",
              "clickCount",
              1));
    }
  }

  /** Returns the center of an element after scrolling to it, or why it cannot be clicked. */
  private static String place(String selector, String name) {
    return """
    (() => {
      const name = e => (e.getAttribute('aria-label') ?? e.innerText ?? e.value ?? '').trim();
      const all = [...document.querySelectorAll(%s)].filter(e => name(e).includes(%s));
      const shown = all.filter(e => e.getClientRects().length > 0);
      if (shown.length === 0) return {why: all.length === 0 ? 'is not there' : 'is hidden'};
      const e = shown[0];
      e.scrollIntoView({block: 'center', inline: 'center', behavior: 'instant'});
      const r = e.getClientRects()[0];
      const x = r.left + r.width / 2, y = r.top + r.height / 2;
      const hit = document.elementFromPoint(x, y);
      if (hit === null || !(e.contains(hit) || hit.contains(e)))
        return {why: 'is covered by ' + (hit === null ? 'nothing' : hit.outerHTML.slice(0, 200))};
      return {x, y};
    })()
    """
        .formatted(selector, name);
  }

  /** Types {@code text} into the focused element. */
  public void type(String text) {
    tab.call("Input.insertText", Map.of("text", text));
  }

  /** Presses keys in order, by the names of {@link KeyStroke}. */
  public void press(String... keys) {
    for (String key : keys) {
      KeyStroke pressed = KeyStroke.of(key);
      tab.call("Input.dispatchKeyEvent", pressed.down());
      tab.call("Input.dispatchKeyEvent", pressed.up());
    }
  }

  /** Returns the focused element: its tag, and its label or text. */
  public String focused() {
    return evaluate(
            """
            (() => { const e = document.activeElement;
              const name = e.getAttribute('aria-label') ?? e.labels?.[0]?.innerText ?? e.innerText ?? '';
              return (e.tagName.toLowerCase() + ' ' + name.trim().replaceAll(/\\s+/g, ' ')).slice(0, 200);
            })()
            """)
        .getAsString();
  }

  /** Emulates the size and pixel ratio of {@code screen}. */
  public void show(PageScreen screen) {
    tab.size(screen.width(), screen.height());
    tab.call("Emulation.setEmulatedMedia", Map.of("features", screen.features()));
  }

  /** Returns the browser window as PNG. */
  public byte[] picture(PageScreen screen) {
    return tab.picture(screen.width(), screen.height());
  }

  /** Returns the errors of the console, exceptions, policy violations and failed requests. */
  public List<String> complaints() {
    return complaints.all();
  }

  /** Clears the complaints of the open page. */
  public void forgetComplaints() {
    complaints.clear();
  }

  /** Closes the tab of the open page. */
  @Override
  public void close() {
    tab.close();
  }
}
