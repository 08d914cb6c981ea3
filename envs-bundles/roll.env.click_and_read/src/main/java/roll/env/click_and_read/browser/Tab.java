package roll.env.click_and_read.browser;

import com.google.gson.Gson;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.awt.Rectangle;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import javax.imageio.ImageIO;
import roll.browser.BrowserException;
import roll.browser.BrowserProcess;
import roll.browser.BrowserTab;
import roll.env.click_and_read.browser.PageScreenshot.Link;
import roll.env.click_and_read.site.LinkResolver;
import roll.env.click_and_read.site.Site;
import roll.env.click_and_read.site.SiteContent;

/**
 * A tab of the browser. Every request of a page is intercepted and answered with a file of the site
 * or refused. Scripts are not run.
 */
final class Tab {
  private static final Gson GSON = new Gson();

  /** Content security policy that makes the browser refuse requests to other hosts. */
  private static final String POLICY =
      "default-src 'self' data: 'unsafe-inline'; script-src 'none'; frame-src 'none'; connect-src"
          + " 'none'; form-action 'none'";

  /**
   * Script that returns the height, base and address of a page, and for each link its text, address
   * and uncovered boxes.
   */
  private static final String LINKS =
      """
      (() => {
        const to = y => window.scrollTo({top: y, behavior: 'instant'});
        const links = [];
        for (const a of document.querySelectorAll('a[href]')) {
          to(0);
          const boxes = [a, ...a.querySelectorAll('*')]
              .flatMap(e => [...e.getClientRects()])
              .filter(r => r.width >= 1 && r.height >= 1)
              .filter(r => {
                const x = r.left + r.width / 2, y = r.top + r.height / 2;
                to(y - innerHeight / 2);
                const hit = document.elementFromPoint(x, y - scrollY);
                to(0);
                return hit !== null && a.contains(hit);
              })
              .map(r => [r.left, r.top, r.width, r.height]);
          const image = a.querySelector('img[alt]');
          links.push({
            label: a.innerText || a.getAttribute('aria-label') || image?.alt || a.title || '',
            href: a.getAttribute('href'), boxes});
        }
        to(0);
        return JSON.stringify({
          height: Math.max(document.documentElement.scrollHeight, document.body?.scrollHeight ?? 0),
          base: document.baseURI, at: location.href, links});
      })()
      """;

  private final BrowserProcess browser;
  private final BrowserTab tab;
  private final int width;
  private final int height;
  private volatile Visit visit = new Visit("", _ -> Optional.empty());

  /** The load of a site's page in this browser tab. */
  private record Visit(String path, SiteContent content, CompletableFuture<Boolean> loaded) {
    Visit(String path, SiteContent content) {
      this(path, content, new CompletableFuture<>());
    }
  }

  /** Opens a tab of {@code width} by {@code height} pixels. */
  Tab(BrowserProcess browser, int width, int height) {
    this.browser = browser;
    this.width = width;
    this.height = height;
    tab = browser.open(width, height);
    tab.listen(this::event);
    tab.call("Fetch.enable", Map.of("patterns", List.of(Map.of("urlPattern", "*"))));
    tab.call("Page.enable", Map.of());
    tab.call("Emulation.setScriptExecutionDisabled", Map.of("value", true));
  }

  boolean isOf(BrowserProcess running) {
    return running.equals(browser);
  }

  /**
   * Renders a page in the browser tab.
   *
   * @param site the site of the page
   * @param path its path
   * @param most maximum height in pixels
   * @throws BrowserException if it fails or takes too long
   */
  PageScreenshot show(Site site, String path, int most) {
    Visit current = new Visit(path, site.content());
    visit = current;
    tab.call("Page.navigate", Map.of("url", LinkResolver.of(path).toASCIIString()));
    browser.tools().result("loading " + path, current.loaded());
    JsonObject found = GSON.fromJson(tab.evaluate(LINKS).getAsString(), JsonObject.class);
    String at = found.get("at").getAsString();
    if (!LinkResolver.resolve(LinkResolver.of(""), at)
        .flatMap(LinkResolver::path)
        .equals(Optional.of(path))) {
      throw new BrowserException("loading " + path + " led to " + at);
    }
    int whole = Math.clamp(found.get("height").getAsInt(), height, most);
    byte[] png = tab.picture(width, whole);
    return new PageScreenshot(() -> decoded(png), whole, links(found, site));
  }

  private static BufferedImage decoded(byte[] png) {
    try {
      return Objects.requireNonNull(ImageIO.read(new ByteArrayInputStream(png)), "no image");
    } catch (IOException e) {
      throw new BrowserException("the picture cannot be read", e);
    }
  }

  /** Closes the browser tab. */
  void close() {
    tab.close();
  }

  private static List<Link> links(JsonObject found, Site site) {
    URI base = URI.create(found.get("base").getAsString());
    List<Link> links = new ArrayList<>();
    for (JsonElement element : found.getAsJsonArray("links")) {
      JsonObject link = element.getAsJsonObject();
      List<Rectangle> boxes =
          link.getAsJsonArray("boxes").asList().stream()
              .map(Tab::rectangle)
              .sorted(Comparator.comparingInt(box -> -box.width * box.height))
              .toList();
      if (!boxes.isEmpty()) {
        String target = site.target(base, link.get("href").getAsString()).orElse("");
        links.add(new Link(link.get("label").getAsString().strip(), target, boxes));
      }
    }
    return List.copyOf(links);
  }

  private static Rectangle rectangle(JsonElement box) {
    JsonArray sides = box.getAsJsonArray();
    return new Rectangle(
        (int) Math.round(sides.get(0).getAsDouble()),
        (int) Math.round(sides.get(1).getAsDouble()),
        (int) Math.ceil(sides.get(2).getAsDouble()),
        (int) Math.ceil(sides.get(3).getAsDouble()));
  }

  private void event(String method, JsonObject event) {
    if (method.equals("Fetch.requestPaused")) {
      answer(event, visit);
    } else if (method.equals("Page.loadEventFired")) {
      visit.loaded().complete(true);
    }
  }

  /** Answers a request with a file of the site; the only document allowed is the requested page. */
  private void answer(JsonObject event, Visit current) {
    String request = event.get("requestId").getAsString();
    String url = event.getAsJsonObject("request").get("url").getAsString();
    boolean document = event.get("resourceType").getAsString().equals("Document");
    Optional<String> path =
        LinkResolver.resolve(LinkResolver.of(current.path()), url)
            .flatMap(LinkResolver::path)
            .filter(file -> !document || file.equals(current.path()));
    Optional<byte[]> content = path.flatMap(current.content()::at);
    if (content.isEmpty()) {
      tab.tell("Fetch.failRequest", Map.of("requestId", request, "errorReason", "Aborted"));
      return;
    }
    List<Map<String, String>> headers =
        List.of(
            Map.of("name", "Content-Type", "value", SiteContent.type(path.orElseThrow())),
            Map.of("name", "Content-Security-Policy", "value", POLICY));
    tab.tell(
        "Fetch.fulfillRequest",
        Map.of(
            "requestId",
            request,
            "responseCode",
            200,
            "responseHeaders",
            headers,
            "body",
            Base64.getEncoder().encodeToString(content.orElseThrow())));
  }
}
