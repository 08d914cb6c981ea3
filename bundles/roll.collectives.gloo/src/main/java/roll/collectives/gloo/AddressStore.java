package roll.collectives.gloo;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import roll.collectives.gloo.Gloo.Symbol;

/**
 * c10d store of one rank, in which a new group stores its own address and waits for those of the
 * others, each under its rank.
 */
final class AddressStore {
  private final Gloo gloo;
  private final MemorySegment store;
  private final MemorySegment pointer;

  /** Creates a store that lives as long as {@code arena}. */
  AddressStore(Gloo gloo, Path file, Arena arena) {
    this.gloo = gloo;
    this.store = arena.allocate(4096, 16);
    MemorySegment path = CppObjects.string(file.toString(), arena);
    gloo.run(Symbol.NEW_FILE_STORE, store, path, 1);
    this.pointer = CppObjects.owned(store, arena);
  }

  /** Pointer {@code c10::intrusive_ptr} to the native store. */
  MemorySegment pointer() {
    return pointer;
  }

  private static MemorySegment key(int rank, Arena arena) {
    return CppObjects.string("0/" + rank, arena);
  }

  /** Whether the store contains the address of {@code rank}. */
  boolean has(int rank) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment keys = CppObjects.vector(key(rank, arena), arena);
      return gloo.is(Symbol.STORE_CHECK, store, keys);
    }
  }

  /** Returns the address of {@code rank}, which must be present. */
  byte[] get(int rank) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(24, 8);
      gloo.run(Symbol.STORE_GET, out, store, key(rank, arena));
      byte[] address = CppObjects.bytes(out);
      CppObjects.free(out.get(ADDRESS, 0));
      return address;
    }
  }

  /** Stores the network address of {@code rank}. */
  void set(int rank, byte[] address) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment value = CppObjects.vector(arena.allocateFrom(JAVA_BYTE, address), arena);
      gloo.run(Symbol.STORE_SET, store, key(rank, arena), value);
    }
  }
}
