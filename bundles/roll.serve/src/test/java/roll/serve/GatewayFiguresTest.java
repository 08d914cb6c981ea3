package roll.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.Gson;
import com.sun.management.OperatingSystemMXBean;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import roll.api.model.Tokenizer;
import roll.api.strategy.Generation;
import roll.api.strategy.Generator;
import roll.huggingface.HuggingFaceTokenizers;
import roll.runtime.serving.ListenSettings;
import roll.runtime.serving.ServedModel;
import roll.runtime.serving.Serving;
import roll.template.FolderChatTemplates;
import roll.testkit.RawHttpClient;
import roll.torch.Device;
import roll.torch.Devices;

/**
 * Prints the server's own time per request: 64 conversations at once with tools and a long history,
 * of calls in chat completions, and a model that answers at once.
 */
@Tag("slow")
@Timeout(900)
class GatewayFiguresTest {
  private static final Path QWEN =
      Path.of(System.getProperty("roll.root"), "../shared/data/tokenizer/qwen2.5");
  private static final int CLIENTS = 64;
  private static final int TURNS = 24;
  private static final int ROUNDS = 6; // the first ones compile
  private static final Gson GSON = new Gson();
  private static final String SAID = "I read the file and change the second line of it now.";
  private static final String SYSTEM = "You are an agent that edits files. ".repeat(100);

  private static final OperatingSystemMXBean MACHINE =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  /** Returns the function {@code index} of the requests. */
  private static Map<String, Object> function(int index, String schema) {
    Map<String, Object> function = new LinkedHashMap<>();
    function.put("name", "tool" + index);
    function.put("description", "Reads, writes and searches files of the project. ".repeat(6));
    Map<String, Object> text = Map.of("type", "string", "description", "path of the file");
    function.put(
        schema, Map.of("type", "object", "properties", Map.of("path", text, "text", text)));
    return function;
  }

  private static Map<String, Object> call(int index) {
    Map<String, String> function =
        Map.of("name", "tool1", "arguments", "{\"path\": \"src/Main%d.java\"}".formatted(index));
    return Map.of("id", "c" + index, "type", "function", "function", function);
  }

  /** Returns the request of {@code client} in turn {@code turn}, with the whole history. */
  private static byte[] request(String path, int client, int turn) {
    boolean chat = path.equals("/v1/chat/completions");
    List<Map<String, Object>> messages = new ArrayList<>();
    if (chat) {
      messages.add(Map.of("role", "system", "content", SYSTEM));
    }
    for (int i = 0; i <= turn; i++) {
      String result = "line %d of %d: int x = y + 1; ".formatted(i, client).repeat(20);
      messages.add(
          chat && i > 0
              ? Map.of("role", "tool", "content", result, "tool_call_id", "c" + (i - 1))
              : Map.of("role", "user", "content", result));
      if (i < turn) {
        messages.add(
            chat
                ? Map.of("role", "assistant", "content", SAID, "tool_calls", List.of(call(i)))
                : Map.of("role", "assistant", "content", SAID));
      }
    }
    List<Map<String, Object>> tools = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      Map<String, Object> tool = function(i, chat ? "parameters" : "input_schema");
      tools.add(chat ? Map.of("type", "function", "function", tool) : tool);
    }
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("model", "m");
    body.put("max_tokens", 200);
    body.put("messages", messages);
    body.put("tools", tools);
    if (!chat) {
      body.put("system", SYSTEM);
    }
    return RawHttpClient.request(path, GSON.toJson(body)).getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void figures() throws Exception {
    assumeTrue(Files.isDirectory(QWEN), "no tokenizer beside this project");
    Devices devices = Devices.on(Device.cpu(1));
    try (Tokenizer tokenizer = new HuggingFaceTokenizers(devices).load(QWEN)) {
      int[] said = tokenizer.encode(SAID + "<|im_end|>");
      double[] logProbs = new double[said.length];
      Generator model =
          requests ->
              CompletableFuture.completedFuture(
                  Collections.nCopies(
                      requests.size(), new Generation(said, logProbs, logProbs, true, 0)));
      ServedModel served =
          new ServedModel(
              "m",
              tokenizer,
              model,
              new FolderChatTemplates().load(QWEN, Clock.systemUTC()),
              List.of(said[said.length - 1]),
              32_768,
              true);
      try (Serving serving =
          AllDialects.server()
              .start(
                  served, new ListenSettings(InetAddress.getLoopbackAddress(), 0, null, CLIENTS))) {
        for (String path : List.of("/v1/chat/completions", "/v1/messages")) {
          for (int round = 0; round < ROUNDS; round++) {
            measure(path, serving.address().getPort(), round);
          }
        }
      }
    } finally {
      devices.close();
    }
  }

  private static void measure(String path, int port, int round) throws Exception {
    List<List<byte[]>> conversations = new ArrayList<>();
    for (int client = 0; client < CLIENTS; client++) {
      List<byte[]> requests = new ArrayList<>();
      for (int turn = 0; turn < TURNS; turn++) {
        requests.add(request(path, client + round * CLIENTS, turn));
      }
      conversations.add(requests);
    }
    long processor = MACHINE.getProcessCpuTime();
    long since = System.nanoTime();
    List<Future<long[]>> played = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (List<byte[]> requests : conversations) {
        played.add(threads.submit(() -> play(port, requests)));
      }
    }
    double requests = CLIENTS * TURNS;
    double wall = (System.nanoTime() - since) / requests / 1e6;
    double used = (MACHINE.getProcessCpuTime() - processor) / requests / 1e6;
    long[] all = new long[0];
    for (Future<long[]> one : played) {
      long[] times = one.get();
      int before = all.length;
      all = Arrays.copyOf(all, before + times.length);
      System.arraycopy(times, 0, all, before, times.length);
    }
    Arrays.sort(all);
    System.out.printf(
        Locale.ROOT,
        "%s: %.0f KB in the last turn, %d at once: %.2f ms of processors and %.2f ms of time per"
            + " request, latency %.1f ms (median), %.1f ms (99 %%)%n",
        path,
        conversations.getFirst().getLast().length / 1e3,
        CLIENTS,
        used,
        wall,
        all[all.length / 2] / 1e6,
        all[all.length * 99 / 100] / 1e6);
  }

  /** Plays a conversation and returns the nanoseconds of each request. */
  private static long[] play(int port, List<byte[]> requests) throws IOException {
    long[] times = new long[requests.size()];
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setTcpNoDelay(true);
      InputStream in = new BufferedInputStream(socket.getInputStream());
      for (int i = 0; i < times.length; i++) {
        long since = System.nanoTime();
        socket.getOutputStream().write(requests.get(i));
        assertEquals(200, answer(in));
        times[i] = System.nanoTime() - since;
      }
    }
    return times;
  }

  /** Reads an answer with a chunked body and returns its status. */
  private static int answer(InputStream in) throws IOException {
    int status = Integer.parseInt(line(in).substring(9, 12));
    long length = 0;
    for (String line = line(in); !line.isEmpty(); line = line(in)) {
      if (line.toLowerCase(Locale.ROOT).startsWith("content-length: ")) {
        length = Long.parseLong(line.substring(16));
      }
    }
    in.skipNBytes(length);
    for (int chunk = length > 0 ? 0 : Integer.parseInt(line(in), 16); chunk > 0; ) {
      in.skipNBytes(chunk + 2L);
      chunk = Integer.parseInt(line(in), 16);
      if (chunk == 0) {
        assertEquals("", line(in));
      }
    }
    return status;
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int one = in.read(); one >= 0 && one != '\n'; one = in.read()) {
      line.append((char) one);
    }
    return line.toString().stripTrailing();
  }
}
