;; SHA-256 (FIPS 180-4) of four messages at once. Each v128 holds the same word of all four: one lane, one
;; message. The build compiles this to dist/program/sha256-lanes.wasm; sha256-kernel.ts calls it, has the same
;; in TypeScript, and lays out the memory:
;;
;;      0  the 64 round constants, four bytes each; the caller writes them once
;;    256  the message schedule, 64 vectors
;;   1280  the state, 8 vectors
;;   1408  what the caller likes
(module
  (memory (export "memory") 1)

  ;; lanes: 48 bytes: of each lane the address of its message, then of each the address where its hash goes,
  ;;        then of each its number of blocks. A lane that ends before others keeps its state from there on,
  ;;        but its message is read as far as the longest.
  ;; start: the 32 bytes of the state, from which every lane starts.
  (func (export "hash") (param $lanes i32) (param $start i32)
    (local $message0 i32) (local $message1 i32) (local $message2 i32) (local $message3 i32)
    (local $target0 i32) (local $target1 i32) (local $target2 i32) (local $target3 i32)
    (local $blocks v128) (local $active v128)
    (local $block i32) (local $from i32) (local $at i32) (local $constant i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local $e v128) (local $f v128) (local $g v128) (local $h v128)
    (local $w v128) (local $x v128) (local $y v128) (local $z v128)
    (local $sum0 v128) (local $sum1 v128) (local $first v128) (local $majority v128)

    (local.set $message0 (i32.load offset=0 (local.get $lanes)))
    (local.set $message1 (i32.load offset=4 (local.get $lanes)))
    (local.set $message2 (i32.load offset=8 (local.get $lanes)))
    (local.set $message3 (i32.load offset=12 (local.get $lanes)))
    (local.set $blocks (v128.load offset=32 (local.get $lanes)))

    ;; The state: each word of the start in all lanes.
    (loop $word
      (v128.store offset=1280
        (i32.shl (local.get $at) (i32.const 2))
        (v128.load32_splat (i32.add (local.get $start) (local.get $at))))
      (local.set $at (i32.add (local.get $at) (i32.const 4)))
      (br_if $word (i32.lt_u (local.get $at) (i32.const 32))))

    (block $done
      (loop $next_block
        (local.set $active (i32x4.gt_s (local.get $blocks) (i32x4.splat (local.get $block))))
        (br_if $done (i32.eqz (v128.any_true (local.get $active))))

        ;; The first 16 vectors of the schedule: 16 bytes of each message are four words, big-endian, which
        ;; change places, so that what was one message's becomes one lane.
        (local.set $at (i32.const 0))
        (local.set $from (i32.shl (local.get $block) (i32.const 6)))
        (loop $four_words
          (local.set $w (v128.load (i32.add (local.get $message0) (local.get $from))))
          (local.set $x (v128.load (i32.add (local.get $message1) (local.get $from))))
          (local.set $y (v128.load (i32.add (local.get $message2) (local.get $from))))
          (local.set $z (v128.load (i32.add (local.get $message3) (local.get $from))))
          ;; Words 0 and 1 of two messages: 0 0 1 1; then words 2 and 3.
          (local.set $a
            (i8x16.shuffle 3 2 1 0 19 18 17 16 7 6 5 4 23 22 21 20 (local.get $w) (local.get $x)))
          (local.set $b
            (i8x16.shuffle 3 2 1 0 19 18 17 16 7 6 5 4 23 22 21 20 (local.get $y) (local.get $z)))
          (local.set $c
            (i8x16.shuffle 11 10 9 8 27 26 25 24 15 14 13 12 31 30 29 28 (local.get $w) (local.get $x)))
          (local.set $d
            (i8x16.shuffle 11 10 9 8 27 26 25 24 15 14 13 12 31 30 29 28 (local.get $y) (local.get $z)))
          (v128.store offset=256 (local.get $at)
            (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $a) (local.get $b)))
          (v128.store offset=272 (local.get $at)
            (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $a) (local.get $b)))
          (v128.store offset=288 (local.get $at)
            (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $c) (local.get $d)))
          (v128.store offset=304 (local.get $at)
            (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $c) (local.get $d)))
          (local.set $from (i32.add (local.get $from) (i32.const 16)))
          (local.set $at (i32.add (local.get $at) (i32.const 64)))
          (br_if $four_words (i32.lt_u (local.get $at) (i32.const 256))))

        (local.set $a (v128.load offset=1280 (i32.const 0)))
        (local.set $b (v128.load offset=1296 (i32.const 0)))
        (local.set $c (v128.load offset=1312 (i32.const 0)))
        (local.set $d (v128.load offset=1328 (i32.const 0)))
        (local.set $e (v128.load offset=1344 (i32.const 0)))
        (local.set $f (v128.load offset=1360 (i32.const 0)))
        (local.set $g (v128.load offset=1376 (i32.const 0)))
        (local.set $h (v128.load offset=1392 (i32.const 0)))

        ;; Each turn is one round, and makes the word of the schedule that is due 16 rounds later, if there is
        ;; one: neither waits for the other, and the processor does both at once. For the same reason sums
        ;; are added up in the order in which their parts are known.
        (local.set $at (i32.const 0))
        (local.set $constant (i32.const 0))
        (loop $round
          (local.set $w (v128.load offset=256 (local.get $at)))
          (if (i32.lt_u (local.get $at) (i32.const 768))
            (then
              (local.set $x (v128.load offset=272 (local.get $at)))
              (local.set $y (v128.load offset=480 (local.get $at)))
              ;; sigma0 of the word 15 before, sigma1 of the word 2 before.
              (local.set $x
                (v128.xor
                  (v128.xor
                    (v128.or
                      (i32x4.shr_u (local.get $x) (i32.const 7))
                      (i32x4.shl (local.get $x) (i32.const 25)))
                    (v128.or
                      (i32x4.shr_u (local.get $x) (i32.const 18))
                      (i32x4.shl (local.get $x) (i32.const 14))))
                  (i32x4.shr_u (local.get $x) (i32.const 3))))
              (local.set $y
                (v128.xor
                  (v128.xor
                    (v128.or
                      (i32x4.shr_u (local.get $y) (i32.const 17))
                      (i32x4.shl (local.get $y) (i32.const 15)))
                    (v128.or
                      (i32x4.shr_u (local.get $y) (i32.const 19))
                      (i32x4.shl (local.get $y) (i32.const 13))))
                  (i32x4.shr_u (local.get $y) (i32.const 10))))
              (v128.store offset=512 (local.get $at)
                (i32x4.add
                  (i32x4.add (local.get $w) (v128.load offset=400 (local.get $at)))
                  (i32x4.add (local.get $x) (local.get $y))))))

          (local.set $first
            (i32x4.add
              (i32x4.add
                (local.get $h)
                (i32x4.add (v128.load32_splat (local.get $constant)) (local.get $w)))
              (v128.bitselect (local.get $f) (local.get $g) (local.get $e))))
          (local.set $sum1
            (v128.xor
              (v128.xor
                (v128.or
                  (i32x4.shr_u (local.get $e) (i32.const 6))
                  (i32x4.shl (local.get $e) (i32.const 26)))
                (v128.or
                  (i32x4.shr_u (local.get $e) (i32.const 11))
                  (i32x4.shl (local.get $e) (i32.const 21))))
              (v128.or
                (i32x4.shr_u (local.get $e) (i32.const 25))
                (i32x4.shl (local.get $e) (i32.const 7)))))
          (local.set $sum0
            (v128.xor
              (v128.xor
                (v128.or
                  (i32x4.shr_u (local.get $a) (i32.const 2))
                  (i32x4.shl (local.get $a) (i32.const 30)))
                (v128.or
                  (i32x4.shr_u (local.get $a) (i32.const 13))
                  (i32x4.shl (local.get $a) (i32.const 19))))
              (v128.or
                (i32x4.shr_u (local.get $a) (i32.const 22))
                (i32x4.shl (local.get $a) (i32.const 10)))))
          (local.set $majority
            (v128.or
              (v128.and (local.get $a) (local.get $b))
              (v128.and (local.get $c) (v128.or (local.get $a) (local.get $b)))))
          (local.set $h (local.get $g))
          (local.set $g (local.get $f))
          (local.set $f (local.get $e))
          (local.set $e
            (i32x4.add (i32x4.add (local.get $d) (local.get $first)) (local.get $sum1)))
          (local.set $d (local.get $c))
          (local.set $c (local.get $b))
          (local.set $b (local.get $a))
          (local.set $a
            (i32x4.add
              (i32x4.add (i32x4.add (local.get $first) (local.get $sum1)) (local.get $majority))
              (local.get $sum0)))

          (local.set $constant (i32.add (local.get $constant) (i32.const 4)))
          (local.set $at (i32.add (local.get $at) (i32.const 16)))
          (br_if $round (i32.lt_u (local.get $at) (i32.const 1024))))

        (local.set $x (v128.load offset=1280 (i32.const 0)))
        (v128.store offset=1280 (i32.const 0)
          (i32x4.add (local.get $x) (v128.and (local.get $a) (local.get $active))))
        (local.set $x (v128.load offset=1296 (i32.const 0)))
        (v128.store offset=1296 (i32.const 0)
          (i32x4.add (local.get $x) (v128.and (local.get $b) (local.get $active))))
        (local.set $x (v128.load offset=1312 (i32.const 0)))
        (v128.store offset=1312 (i32.const 0)
          (i32x4.add (local.get $x) (v128.and (local.get $c) (local.get $active))))
        (local.set $x (v128.load offset=1328 (i32.const 0)))
        (v128.store offset=1328 (i32.const 0)
          (i32x4.add (local.get $x) (v128.and (local.get $d) (local.get $active))))
        (local.set $x (v128.load offset=1344 (i32.const 0)))
        (v128.store offset=1344 (i32.const 0)
          (i32x4.add (local.get $x) (v128.and (local.get $e) (local.get $active))))
        (local.set $x (v128.load offset=1360 (i32.const 0)))
        (v128.store offset=1360 (i32.const 0)
          (i32x4.add (local.get $x) (v128.and (local.get $f) (local.get $active))))
        (local.set $x (v128.load offset=1376 (i32.const 0)))
        (v128.store offset=1376 (i32.const 0)
          (i32x4.add (local.get $x) (v128.and (local.get $g) (local.get $active))))
        (local.set $x (v128.load offset=1392 (i32.const 0)))
        (v128.store offset=1392 (i32.const 0)
          (i32x4.add (local.get $x) (v128.and (local.get $h) (local.get $active))))

        (local.set $block (i32.add (local.get $block) (i32.const 1)))
        (br $next_block)))

    ;; The hashes, big-endian: each lane's words to where its own goes.
    (local.set $target0 (i32.load offset=16 (local.get $lanes)))
    (local.set $target1 (i32.load offset=20 (local.get $lanes)))
    (local.set $target2 (i32.load offset=24 (local.get $lanes)))
    (local.set $target3 (i32.load offset=28 (local.get $lanes)))
    (local.set $at (i32.const 0))
    (loop $word
      (local.set $x (v128.load offset=1280 (i32.shl (local.get $at) (i32.const 2))))
      (local.set $x
        (i8x16.shuffle 3 2 1 0 7 6 5 4 11 10 9 8 15 14 13 12 (local.get $x) (local.get $x)))
      (v128.store32_lane 0 (i32.add (local.get $target0) (local.get $at)) (local.get $x))
      (v128.store32_lane 1 (i32.add (local.get $target1) (local.get $at)) (local.get $x))
      (v128.store32_lane 2 (i32.add (local.get $target2) (local.get $at)) (local.get $x))
      (v128.store32_lane 3 (i32.add (local.get $target3) (local.get $at)) (local.get $x))
      (local.set $at (i32.add (local.get $at) (i32.const 4)))
      (br_if $word (i32.lt_u (local.get $at) (i32.const 32))))))
