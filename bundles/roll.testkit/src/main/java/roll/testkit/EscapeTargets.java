package roll.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;

/**
 * The resources that hostile programs try to reach.
 *
 * @param secret a file without read permission for others
 * @param open a world-writable folder
 * @param victim a world-writable file in it
 * @param server a server at a port
 * @param service a server at a file
 * @param process a process of this user
 */
public record EscapeTargets(
    Path secret,
    Path open,
    Path victim,
    ServerSocket server,
    ServerSocketChannel service,
    Process process)
    implements AutoCloseable {
  private static final String LINE = "a line\n";

  /** Makes the resources, with {@code text} as the secret. */
  public static EscapeTargets in(Path folder, String text) throws IOException {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
    Path secret = Files.writeString(folder.resolve("secret"), text);
    Path open = Files.createDirectory(folder.resolve("open"));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
    Path victim = Files.writeString(open.resolve("victim"), LINE);
    Files.setPosixFilePermissions(victim, PosixFilePermissions.fromString("rw-rw-rw-"));
    ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    server.setSoTimeout(1);
    ServerSocketChannel service = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    service.bind(UnixDomainSocketAddress.of(folder.resolve("service")));
    service.configureBlocking(false);
    Process process = new ProcessBuilder("sleep", "600").start();
    return new EscapeTargets(secret, open, victim, server, service, process);
  }

  /** Returns {@code program} with these paths and ports filled in. */
  public String filled(String program) {
    return program
        .replace("{secret}", secret.toString())
        .replace("{open}", open.toString())
        .replace("{victim}", victim.toString())
        .replace("{socket}", secret.resolveSibling("service").toString())
        .replace("{port}", String.valueOf(server.getLocalPort()))
        .replace("{pid}", String.valueOf(process.pid()))
        .replace("{jvm}", String.valueOf(ProcessHandle.current().pid()));
  }

  /** Fails unless files, servers and the process are untouched. */
  public void assertUntouched() throws IOException {
    try (Stream<Path> files = Files.list(open)) {
      assertEquals(List.of(victim), files.toList());
    }
    assertEquals(LINE, Files.readString(victim));
    assertEquals("rw-rw-rw-", PosixFilePermissions.toString(Files.getPosixFilePermissions(victim)));
    assertTrue(Files.getLastModifiedTime(victim).toMillis() > 1000);
    assertTrue(process.isAlive());
    assertEquals(null, service.accept());
    assertThrows(SocketTimeoutException.class, server::accept);
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly();
    server.close();
    service.close();
  }
}
