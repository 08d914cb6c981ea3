package roll.assemble.repository;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.runtime.deploy.PluginOffer;

/** Indexes and servers that mean harm are refused in one line. */
@Tag("hostile")
class HostileIndexTest {
  private static final String SHA = "0".repeat(64);

  @TempDir Path folder;
  private HttpServer server;
  private String address;
  private final Set<String> asked = ConcurrentHashMap.newKeySet();

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
    address = "http://127.0.0.1:" + server.getAddress().getPort() + "/osgi/";
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  /** Serves the files of {@link #folder}; other paths are misbehavior. */
  private void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    asked.add(path);
    Path file = folder.resolve(path.substring(path.lastIndexOf('/') + 1));
    if (path.startsWith("/loop/")) {
      redirect(exchange, path);
    } else if (path.startsWith("/moved/")) {
      redirect(exchange, address + file.getFileName());
    } else if (path.startsWith("/disk/")) {
      redirect(exchange, "file:///etc/hostname");
    } else if (!Files.exists(file)) {
      exchange.sendResponseHeaders(404, -1);
    } else {
      byte[] body = Files.readAllBytes(file);
      boolean cut = path.startsWith("/cut/") && path.endsWith(".jar");
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body, 0, cut ? body.length / 2 : body.length);
      if (cut) {
        throw new IOException("cut"); // closes the connection
      }
    }
    exchange.close();
  }

  private static void redirect(HttpExchange exchange, String to) throws IOException {
    exchange.getResponseHeaders().set("Location", to);
    exchange.sendResponseHeaders(302, -1);
  }

  private BndIndex at(String place) throws Exception {
    RepositoryFiles files = RepositoryFiles.at(URI.create(place));
    return new BndIndex(
        files,
        "",
        IndexParser.parse(files.read(), files.index()),
        new InstalledSystem(List.of(), Set.of()));
  }

  private Path target() throws IOException {
    return Files.createDirectories(folder.resolve("target"));
  }

  private String refusal(String place) throws Exception {
    BndIndex index = at(place);
    PluginOffer maze = index.newest().getFirst();
    String line = userError(() -> index.fetch(maze, target()));
    assertEquals(1, line.lines().count(), line);
    return line;
  }

  @Test
  void whatIsNoIndexIsRefused() throws Exception {
    String bomb =
        "<!DOCTYPE r [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;'>]>"
            + "<repository>&b;</repository>";
    String file = "<!DOCTYPE r [<!ENTITY e SYSTEM 'file:/etc/passwd'>]>";
    String index = new RepositoryFolder(folder).entry("maze", "1.0.0", "a", 1, SHA).text();
    String referral =
        "<repository xmlns='http://www.osgi.org/xmlns/repository/v1.0.0'"
            + " xmlns:r='http://www.osgi.org/xmlns/repository/v1.0.0'><referral r:url='"
            + address
            + "other.xml' r:depth='3'/></repository>";
    for (String content :
        List.of(
            "",
            "text",
            "<html/>",
            "<repository>",
            bomb,
            file + "<repository>&e;</repository>",
            file + index,
            index.replace("value=\"1.0.0\"", "value=\"one\""),
            index.replace("value=\"a\"", "value=\"no url\""),
            index.replace(" namespace=\"osgi.identity\"", ""),
            referral)) {
      Files.writeString(folder.resolve("index.xml"), content);
      String line = userError(() -> at(folder.toUri().toString()));
      assertTrue(
          line.startsWith(folder.resolve("index.xml") + ": not the index of an OSGi repository: "),
          content + ": " + line);
      assertEquals(1, line.lines().count(), line);
    }
    assertEquals(Set.of(), asked, "no referral is followed");
  }

  /** A compressed index could be a thousand times its size. */
  @Test
  void aCompressedIndexIsRefused() throws Exception {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write("<repository/>".getBytes(StandardCharsets.UTF_8));
    }
    Files.write(folder.resolve("index.xml"), packed.toByteArray());
    String line = userError(() -> at(folder.toUri().toString()));
    assertTrue(line.endsWith("it is compressed"), line);
  }

  @Test
  void entriesThatAreNoBundlesAreLeftOut() throws Exception {
    new RepositoryFolder(folder)
        .entry("../maze", "1.0.0", "a.jar", 1, SHA)
        .entry("maze", "1.0.0", "a.jar", 1, "no hash")
        .entry("lake", "1.0.0", "a.jar", 1, SHA)
        .write();
    assertEquals(
        List.of("lake"),
        at(folder.toUri().toString()).newest().stream().map(PluginOffer::name).toList());
  }

  @Test
  void invalidAttributesAndFiltersAreOneLine() throws Exception {
    String index = new RepositoryFolder(folder).entry("maze", "1.0.0", "a.jar", 1, SHA).text();
    String deep = "(&amp;".repeat(100_000) + "(a=b)" + ")".repeat(100_000);
    for (String wrong :
        List.of(
            index.replace("type=\"Version\" value=\"1.0.0\"", "value=\"one\""),
            index.replace("</resource>", requirement("((((") + "</resource>"),
            index.replace("</resource>", requirement(deep) + "</resource>"))) {
      Files.writeString(folder.resolve("index.xml"), wrong);
      String line = userError(() -> at(folder.toUri().toString()).resolve("maze"));
      assertTrue(line.startsWith(folder.resolve("index.xml") + ": "), line);
      assertEquals(1, line.lines().count(), line);
    }
  }

  private static String requirement(String filter) {
    return "<requirement namespace=\"a\"><directive name=\"filter\" value=\"%s\"/></requirement>"
        .formatted(filter);
  }

  @Test
  void onlyFilesBelowTheIndexAreRead() throws Exception {
    Path secret = Files.writeString(folder.resolve("secret.jar"), "s");
    Path inner = Files.createDirectory(folder.resolve("inner"));
    for (String place : List.of(inner.toUri().toString(), address)) {
      for (String url :
          List.of(
              "../secret.jar",
              "%2e%2e/secret.jar",
              "a/..%2f..%2fsecret.jar",
              secret.toUri().toString(),
              "file:secret.jar",
              "jar:" + secret.toUri() + "!/a",
              "http://127.0.0.1:1/maze.jar",
              "//127.0.0.1/maze.jar")) {
        new RepositoryFolder(place.equals(address) ? folder : inner)
            .entry("maze", "1.0.0", url, 1, SHA)
            .write();
        String line = refusal(place);
        assertTrue(line.endsWith("', which is not below its own folder"), line);
      }
    }
    assertFalse(asked.contains("/secret.jar"));
  }

  @Test
  void aServerThatSendsOtherThanTheIndexSaysIsRefused() throws Exception {
    RepositoryFolder repository = new RepositoryFolder(folder).bundle("maze", "1.0.0");
    repository.write();
    long size = Files.size(folder.resolve("maze-1.0.0.jar"));
    String cut = refusal(address.replace("/osgi/", "/cut/"));
    assertTrue(cut.contains("/cut/maze-1.0.0.jar: cannot be read: "), cut);

    new RepositoryFolder(folder).entry("maze", "1.0.0", "maze-1.0.0.jar", size - 1, SHA).write();
    String longer = refusal(address);
    assertTrue(longer.contains("maze-1.0.0.jar: cannot be read: "), longer);

    new RepositoryFolder(folder).entry("maze", "1.0.0", "maze-1.0.0.jar", size, SHA).write();
    assertEquals(
        address + "maze-1.0.0.jar: its SHA-256 is not the one in the index", refusal(address));

    new RepositoryFolder(folder).entry("maze", "1.0.0", "maze.jar", 1L << 40, SHA).write();
    String huge = refusal(address);
    assertTrue(huge.contains(": its index gives it 1099511627776 bytes; at most "), huge);

    new RepositoryFolder(folder).entry("maze", "1.0.0", "absent.jar", 1, SHA).write();
    assertEquals(address + "absent.jar: the server answers 404", refusal(address));
    try (Stream<Path> left = Files.list(target())) {
      assertEquals(0, left.filter(file -> file.toString().contains("..")).count());
    }
  }

  @Test
  void redirectionsAreFollowedToHttpOnlyAndNotForEver() throws Exception {
    new RepositoryFolder(folder).bundle("maze", "1.0.0").write();
    BndIndex moved = at(address.replace("/osgi/", "/moved/"));
    Path jar = moved.fetch(moved.newest().getFirst(), target());
    assertEquals(-1, Files.mismatch(folder.resolve("maze-1.0.0.jar"), jar));
    assertTrue(asked.contains("/osgi/maze-1.0.0.jar"), asked + "");
    for (String place : List.of("/loop/", "/disk/")) {
      String line = userError(() -> at(address.replace("/osgi/", place)));
      assertTrue(line.contains("redirect") || line.contains("cannot be read"), line);
      assertFalse(line.contains("not the index"), line);
    }
  }

  @Test
  void withoutANetworkItIsSaid() {
    server.stop(0);
    assertEquals(
        address + "index.xml: cannot be read: no connection", userError(() -> at(address)));
    assertEquals(
        "http://no-such-host.invalid/index.xml: cannot be read: its host is unknown (no network?)",
        userError(() -> at("http://no-such-host.invalid")));
    assertEquals(
        "ftp://127.0.0.1/: expected a folder, an index.xml, or its http(s) address",
        userError(() -> at("ftp://127.0.0.1/")));
  }
}
