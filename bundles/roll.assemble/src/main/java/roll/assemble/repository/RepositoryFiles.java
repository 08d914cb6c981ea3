package roll.assemble.repository;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.text.OneLine;

/**
 * The index of a repository and the files below its folder, on disk or at an HTTP(S) address. A
 * redirection of the index counts as its address; one from HTTPS to HTTP is not followed.
 */
final class RepositoryFiles {
  private static final String FILE = "index.xml";
  private static final int MAX_INDEX = 64 << 20;
  private static final int MAX_SIGNATURE = 1 << 20;
  private static final Duration UNTIL_ANSWER = Duration.ofSeconds(20);
  private static final Duration UNTIL_END = Duration.ofMinutes(30);

  private URI index;

  private RepositoryFiles(URI index) {
    this.index = index;
  }

  /**
   * The files of the repository at {@code place}, an index or the folder that it is in.
   *
   * @throws UserException if {@code place} is neither a file nor an HTTP(S) address
   */
  static RepositoryFiles at(URI place) {
    String text = place.toString();
    boolean http = List.of("http", "https").contains(String.valueOf(place.getScheme()));
    if (http ? place.getHost() == null : !"file".equals(place.getScheme())) {
      throw new UserException(
          OneLine.of(text + ": expected a folder, an index.xml, or its http(s) address"));
    }
    return new RepositoryFiles(
        text.endsWith(".xml") ? place : URI.create(text.replaceFirst("/*$", "/" + FILE)));
  }

  /** Returns the address of the index. */
  URI index() {
    return index;
  }

  /** Returns the content of the index. */
  byte[] read() throws InterruptedException {
    byte[] content = read(index, MAX_INDEX, true);
    if (content == null) {
      throw new UserException(
          shown(index) + ": no such file; expected the index of an OSGi repository");
    }
    return content;
  }

  /** Returns the detached signature beside the index, or null if there is none. */
  byte @Nullable [] signature() throws InterruptedException {
    return read(URI.create(index + ".asc"), MAX_SIGNATURE, false);
  }

  /** Copies the file of {@code bytes} bytes at {@code url}, relative to the index. */
  void copy(String url, Path target, long bytes) throws InterruptedException {
    URI file = below(url);
    try {
      if (onDisk()) {
        try (InputStream in = Files.newInputStream(Path.of(file))) {
          Files.write(target, in.readNBytes((int) Math.min(bytes + 1, Integer.MAX_VALUE - 8)));
        }
      } else {
        HttpResponse<Path> response = send(file, BodyHandlers.ofFile(target), bytes);
        if (response.statusCode() != 200) {
          throw new UserException(shown(file) + ": " + status(response));
        }
      }
    } catch (IOException e) {
      throw new UserException(shown(file) + ": cannot be read: " + reason(e), e);
    }
  }

  /**
   * Returns the address of {@code url}, relative to the index.
   *
   * @throws UserException if it is not below the folder of the index
   */
  URI below(String url) {
    URI folder = index.resolve(".");
    try {
      URI file = folder.resolve(url).normalize();
      boolean inside =
          Objects.equals(file.getScheme(), folder.getScheme())
              && Objects.equals(file.getRawAuthority(), folder.getRawAuthority())
              && file.getRawPath() != null
              && file.getRawPath().startsWith(folder.getRawPath())
              && !List.of(file.getPath().split("/")).contains("..");
      if (inside) {
        return file;
      }
    } catch (IllegalArgumentException e) {
      // no URI at all
    }
    throw new UserException(
        OneLine.of(shown(index) + ": it lists '" + url + "', which is not below its own folder"));
  }

  /** Returns whether {@code url}, relative to the index, is {@code address}. */
  boolean names(String url, URI address) {
    try {
      return index.resolve(url).equals(address);
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private boolean onDisk() {
    return "file".equals(index.getScheme());
  }

  private byte @Nullable [] read(URI file, int most, boolean isIndex) throws InterruptedException {
    try {
      byte[] content = onDisk() ? fromDisk(Path.of(file), most) : fromServer(file, most, isIndex);
      if (content != null && content.length > most) {
        throw new UserException(shown(file) + ": more than " + most + " bytes");
      }
      return content;
    } catch (IOException e) {
      throw new UserException(shown(file) + ": cannot be read: " + reason(e), e);
    }
  }

  private static byte @Nullable [] fromDisk(Path file, int most) throws IOException {
    if (!Files.isRegularFile(file)) {
      return null;
    }
    try (InputStream in = Files.newInputStream(file)) {
      return in.readNBytes(most + 1);
    }
  }

  private byte @Nullable [] fromServer(URI file, int most, boolean isIndex)
      throws IOException, InterruptedException {
    HttpResponse<byte[]> response = send(file, BodyHandlers.ofByteArray(), most);
    if (response.statusCode() == 404 && !isIndex) {
      return null;
    }
    if (response.statusCode() != 200) {
      throw new UserException(shown(file) + ": " + status(response));
    }
    if (isIndex) {
      index = response.uri();
    }
    return response.body();
  }

  private static <T> HttpResponse<T> send(URI file, BodyHandler<T> handler, long most)
      throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(file).timeout(UNTIL_ANSWER).build();
    try (HttpClient client =
        HttpClient.newBuilder()
            .followRedirects(HttpClient.Redirect.NORMAL)
            .connectTimeout(UNTIL_ANSWER)
            .build()) {
      CompletableFuture<HttpResponse<T>> response =
          client.sendAsync(request, BodyHandlers.limiting(handler, most));
      try {
        return response.get(UNTIL_END.toSeconds(), TimeUnit.SECONDS);
      } catch (ExecutionException e) {
        throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getCause());
      } catch (TimeoutException e) {
        throw new HttpTimeoutException("not complete after " + UNTIL_END.toMinutes() + " minutes");
      } finally {
        client.shutdownNow();
      }
    }
  }

  private static String status(HttpResponse<?> response) {
    int status = response.statusCode();
    String to = response.headers().firstValue("Location").orElse("");
    return "the server answers "
        + status
        + (status / 100 == 3 ? OneLine.of(", a redirection that is not followed, to " + to) : "");
  }

  private static String reason(IOException failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof UnresolvedAddressException) {
        return "its host is unknown (no network?)";
      }
    }
    return switch (failure) {
      case HttpTimeoutException e -> "no answer (" + e.getMessage() + ")";
      case ConnectException _ -> "no connection";
      default -> OneLine.of(failure);
    };
  }

  /** Returns an address, or a path on disk, for messages. */
  static String shown(URI file) {
    return OneLine.of("file".equals(file.getScheme()) ? Path.of(file).toString() : file.toString());
  }
}
