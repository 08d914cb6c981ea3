package roll.tool.mcp;

import io.modelcontextprotocol.client.McpAsyncClient;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.client.transport.ServerParameters;
import io.modelcontextprotocol.client.transport.StdioClientTransport;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.jackson2.JacksonMcpJsonMapperSupplier;
import io.modelcontextprotocol.json.schema.JsonSchemaValidator.ValidationResponse;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import roll.api.plugin.Errand;
import roll.text.OneLine;

/** One session with a running server, from its start until it or we end it. */
final class Link implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Link.class);
  private static final Duration GOODBYE = Duration.ofSeconds(5);

  private final McpJsonMapper json = new JacksonMcpJsonMapperSupplier().get();
  private final Duration timeout;
  private final boolean program;
  private final McpAsyncClient client;
  private final CompletableFuture<Object> ended = new CompletableFuture<>();
  private volatile String lastWords = "";
  private volatile long heard = System.nanoTime();

  private Link(ServerInfo server) {
    timeout = server.timeout();
    program = server.command() != null;
    client =
        McpClient.async(transport(server))
            .clientInfo(new McpSchema.Implementation("roll", "1"))
            .requestTimeout(timeout.multipliedBy(2)) // ours comes first
            .initializationTimeout(timeout.multipliedBy(2))
            // results are checked by nobody: they are text for a model
            .jsonSchemaValidator((schema, result) -> ValidationResponse.asValid(""))
            .build();
  }

  /**
   * Starts or reaches {@code server} and shakes hands.
   *
   * @throws IOException if it is not there, or does not answer in time
   */
  static Link open(ServerInfo server) throws IOException, InterruptedException {
    Link link = new Link(server);
    try {
      McpSchema.InitializeResult _ = link.ask(McpAsyncClient::initialize);
      return link;
    } catch (ExecutionException e) {
      link.close();
      throw new IOException(why(e.getCause()), e);
    } catch (TimeoutException e) {
      link.close();
      throw new IOException(why(e), e);
    } catch (IOException | InterruptedException | RuntimeException e) {
      link.close();
      throw e;
    }
  }

  private McpClientTransport transport(ServerInfo server) {
    if (server.command() == null) {
      return http(server);
    }
    ServerParameters.Builder program =
        ServerParameters.builder(server.command()).args(server.args()).env(server.env());
    StdioClientTransport transport =
        new StdioClientTransport(program.build(), json) {
          /** Failures are told by what is asked: the SDK would only print them. */
          @Override
          public Mono<Void> connect(
              Function<Mono<McpSchema.JSONRPCMessage>, Mono<McpSchema.JSONRPCMessage>> handler) {
            return super.connect(handler)
                .doOnSuccess(_ -> watch(this))
                .doOnError(e -> ended.completeExceptionally(new IOException(why(e), e)))
                .onErrorComplete();
          }

          /** The SDK's queue refuses a message that comes while another is put into it. */
          @Override
          public synchronized Mono<Void> sendMessage(McpSchema.JSONRPCMessage message) {
            return super.sendMessage(message);
          }
        };
    transport.setStdErrorHandler(
        line -> {
          lastWords = line;
          LOG.debug("{}: {}", server.shown(), line);
        });
    return transport;
  }

  /** The SDK does not tell of a program's end, and would wait for answers until they are late. */
  private void watch(StdioClientTransport transport) {
    Thread.ofVirtual()
        .name("roll.tool.mcp")
        .start(
            new Errand(
                () -> {
                  transport.awaitForExit();
                  String words = lastWords.isBlank() ? "" : "; its last words: " + lastWords;
                  ended.completeExceptionally(new IOException("it has ended" + words));
                }));
  }

  private McpClientTransport http(ServerInfo server) {
    URI url = Objects.requireNonNull(server.url());
    String path = url.getRawPath().isEmpty() ? "/mcp" : url.getRawPath();
    String query = url.getRawQuery() == null ? "" : "?" + url.getRawQuery();
    return HttpClientStreamableHttpTransport.builder(
            url.getScheme() + "://" + url.getRawAuthority())
        .endpoint(path + query)
        .jsonMapper(json)
        .connectTimeout(server.timeout())
        .customizeRequest(request -> server.headers().forEach(request::header))
        .build();
  }

  /**
   * The server's answer.
   *
   * @throws ExecutionException if it refuses; the cause is what it says
   * @throws IOException if it has gone
   * @throws TimeoutException if it does not answer in time
   */
  <T> T ask(Function<McpAsyncClient, Mono<T>> question)
      throws ExecutionException, IOException, TimeoutException, InterruptedException {
    CompletableFuture<T> answer = question.apply(client).toFuture();
    try {
      CompletableFuture.anyOf(answer, ended).get(timeout.toMillis(), TimeUnit.MILLISECONDS);
      T given = answer.get();
      heard = System.nanoTime();
      return given;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof McpError) {
        throw e;
      }
      throw new IOException(program ? end(e) : why(e.getCause()), e);
    } catch (TimeoutException e) {
      throw new TimeoutException("no answer within " + timeout.toMillis() / 1e3 + " s");
    } finally {
      answer.cancel(true);
    }
  }

  /** Why a program does not answer: it has ended, which is told a little later, or what is said. */
  private String end(ExecutionException failure) throws InterruptedException {
    try {
      ended.get(GOODBYE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException told) {
      return why(told.getCause());
    } catch (TimeoutException e) {
      LOG.debug("a program that failed lives on", e);
    }
    return why(failure.getCause());
  }

  /** Whether the server answered anything since {@code time}, of {@link System#nanoTime}. */
  boolean heardSince(long time) {
    return heard - time > 0;
  }

  /** What a failure says, without the layers around it. */
  static String why(@Nullable Throwable failure) {
    Throwable root = failure;
    while (root != null && root.getCause() != null) {
      root = root.getCause();
    }
    String said = root == null ? null : root.getMessage();
    return OneLine.of(said == null || said.isBlank() ? String.valueOf(root) : said);
  }

  /** What a value is as JSON. */
  String json(Object value) {
    try {
      return json.writeValueAsString(value);
    } catch (IOException e) {
      return String.valueOf(value);
    }
  }

  /** Says goodbye, and ends a program that we started. */
  @Override
  public void close() {
    try {
      client.closeGracefully().block(GOODBYE);
    } catch (RuntimeException e) {
      LOG.debug("a server did not say goodbye", e);
      client.close();
    }
  }
}
