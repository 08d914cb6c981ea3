package roll.shell;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.Version;
import roll.api.option.UserException;

/** Indexes in folders and at addresses, and the order of versions. */
class RepositoryIndexTest {
  private static final String INDEX = IndexFile.of(Map.of("roll.shell", "0.3.0", "maze", "1.2.0"));
  private static final Map<String, Version> BUNDLES =
      Map.of("roll.shell", new Version("0.3.0"), "maze", new Version("1.2.0"));

  @TempDir Path folder;

  @Test
  void theBundlesOfAFolderAndOfAFileAreRead() throws IOException {
    Path file = Files.writeString(folder.resolve("index.xml"), INDEX);
    assertEquals(BUNDLES, RepositoryIndex.in(folder));
    assertEquals(BUNDLES, RepositoryIndex.in(file));
  }

  @Test
  void theBundlesAtAnAddressAreRead() throws Exception {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/osgi/index.xml",
        exchange -> {
          byte[] body = INDEX.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    try {
      String address =
          "http://%s:%d/"
              .formatted(
                  server.getAddress().getAddress().getHostAddress(), server.getAddress().getPort());
      assertEquals(BUNDLES, RepositoryIndex.at(address + "osgi"));
      assertEquals(BUNDLES, RepositoryIndex.at(address + "osgi/index.xml"));
      UserException e = assertThrows(UserException.class, () -> RepositoryIndex.at(address));
      assertEquals(address + "index.xml: the server answers 404", e.getMessage());
    } finally {
      server.stop(0);
    }
  }

  @Test
  void whatIsNoIndexIsRefusedInOneLine() throws IOException {
    Path file = folder.resolve("index.xml");
    for (String content :
        List.of(
            "",
            "text",
            "<html/>",
            "<repository>",
            "<!DOCTYPE r [<!ENTITY e SYSTEM 'file:/etc/passwd'>]><repository>&e;</repository>",
            IndexFile.of(Map.of("roll.shell", "new")))) {
      Files.writeString(file, content);
      UserException e =
          assertThrows(UserException.class, () -> RepositoryIndex.in(folder), content);
      assertTrue(
          e.getMessage().startsWith(file + ": not the index of an OSGi repository"),
          e.getMessage());
      assertEquals(1, e.getMessage().lines().count(), e.getMessage());
    }
    Files.delete(file);
    UserException e = assertThrows(UserException.class, () -> RepositoryIndex.in(folder));
    assertTrue(e.getMessage().startsWith(file + ": no such file"), e.getMessage());
  }

  @Test
  void anAddressWhereNobodyAnswersIsOneLine() {
    UserException e =
        assertThrows(UserException.class, () -> RepositoryIndex.at("http://127.0.0.1:1/osgi"));
    assertEquals(
        "http://127.0.0.1:1/osgi/index.xml: cannot be read: no connection", e.getMessage());
  }

  @Test
  void aSnapshotIsOlderThanItsRelease() {
    List<Version> ordered =
        Stream.of("0.1.9", "0.2.0.SNAPSHOT", "0.2.0", "0.2.0.a", "0.2.1.SNAPSHOT", "0.10.0")
            .map(Version::new)
            .toList();
    assertEquals(ordered, ordered.reversed().stream().sorted(NewerVersions.ORDER).toList());
  }
}
